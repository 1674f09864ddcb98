/** A module of the project, bundled, as text: scripts/build-binary.mjs puts it in place. */
declare module 'embedded:*' {
  const text: string;
  export default text;
}
