export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

// Each script calls `noesis __complete` with the words so far. Its output has one word per line, with a
// description after a tab, and directives such as `:files`. The scripts never let the shell expand words,
// because some come from traces.

const BASH = `# bash completion for noesis
_noesis() {
  local line=\${COMP_LINE:0:COMP_POINT} current cut= word rest
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]}-1]}
  # readline begins a new word behind these.
  [[ $current == *[:=]* ]] && cut=\${current%"\${current##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    case $word in
      :files | :dirs)
        compopt -o filenames 2>/dev/null
        local kind=-f
        [[ $word == :dirs ]] && kind=-d
        while IFS= read -r rest; do COMPREPLY+=("$rest"); done < <(compgen "$kind" -- "\${current#"$cut"}")
        ;;
      :nospace) compopt -o nospace 2>/dev/null ;;
      *) COMPREPLY+=("\${word#"$cut"}") ;;
    esac
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
}
complete -F _noesis noesis
`;

const ZSH = `#compdef noesis
_noesis() {
  local -a lines described
  local line word about files= suffix=
  lines=("\${(@f)$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :files) files=_files ;;
      :dirs) files='_files -/' ;;
      :nospace) suffix=1 ;;
      ?*)
        word=\${line%%$'\\t'*}
        about=\${line#"$word"}
        described+=("\${word//:/\\\\:}\${about:+:\${about#$'\\t'}}")
        ;;
    esac
  done
  if (( $#described )); then
    if [[ -n $suffix ]]; then _describe noesis described -S ''; else _describe noesis described; fi
  fi
  [[ -n $files ]] && \${=files}
  return 0
}
if [[ \${funcstack[1]} == _noesis ]]; then _noesis "$@"; else compdef _noesis noesis; fi
`;

const FISH = `# fish completion for noesis
function __noesis_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path $words[-1]
            case ':dirs'
                __fish_complete_directories $words[-1]
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c noesis -f -a '(__noesis_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** The completion script of a shell. */
export const completionScript = (shell: Shell): string => SCRIPTS[shell];
