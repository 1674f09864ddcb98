// Runs a fleet under Slurm for real: two nodes on this machine, an array job that verifies 400 episodes in four shards, a
// node that is killed in the middle, and a dependent job that merges. The merged report must be that of one run, byte for
// byte. npm run test:fleet; where Slurm is not installed it says so.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { isInstalled } from '../support/tools.ts';

const EPISODES = 400;
const SHARDS = 4;
const PATIENCE_MS = 120_000;

if (!['slurmctld', 'slurmd', 'sbatch', 'squeue'].every(isInstalled)) {
  console.log('Slurm is not installed (Debian: apt-get install slurm-wlm): nothing was tested');
  process.exit(0);
}

const dir = mkdtempSync(join(tmpdir(), 'noesis-slurm-'));
const bin = join(process.cwd(), 'dist', 'bin', 'noesis.js');
const noesis = `${process.execPath} ${bin}`;
const host = hostname().split('.')[0] ?? 'localhost';
const user = userInfo().username;
const daemons = new Map<string, ChildProcess>();

/** The configuration that docs/fleet.md mentions, in a separate folder and without a secret: only this machine can connect. */
const CONFIGURATION = `
ClusterName=noesis
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=16817
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
SlurmUser=${user}
SlurmdUser=${user}
StateSaveLocation=${dir}/state
SlurmdSpoolDir=${dir}/spool.%n
SlurmctldPidFile=${dir}/slurmctld.pid
SlurmdPidFile=${dir}/slurmd.%n.pid
SlurmctldLogFile=${dir}/log/slurmctld
SlurmdLogFile=${dir}/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
NodeName=n1 NodeHostname=${host} NodeAddr=127.0.0.1 Port=17001 CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=${host} NodeAddr=127.0.0.1 Port=17002 CPUs=1 State=UNKNOWN
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
`;

const env = { ...process.env, SLURM_CONF: join(dir, 'slurm.conf') };

const slurm = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { env, encoding: 'utf8', cwd: dir }).trim();

function start(name: string, program: string, ...args: string[]): void {
  daemons.set(name, spawn(program, args, { env, stdio: 'ignore' }));
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isSo(); ) {
    if (Date.now() > end)
      throw new Error(`waited in vain until ${what}\n${slurm('squeue')}\n${slurm('sinfo')}`);
    await setTimeout(100);
  }
  console.log(what);
}

const read = (...path: string[]): string => readFileSync(join(dir, ...path), 'utf8');

/** Kills a node as a power cut would: its daemon, what watches the task, and the task. */
function killNode(node: string, task: string): void {
  daemons.get(node)?.kill('SIGKILL');
  daemons.delete(node);
  for (const pid of read('pids', task).trim().split(/\s+/).reverse()) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It went with its parent.
    }
  }
  slurm('scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=killed');
}

async function run(): Promise<void> {
  for (const name of ['state', 'spool.n1', 'spool.n2', 'log', 'pids', 'parts', 'eps'])
    mkdirSync(join(dir, name), { mode: 0o755 });
  for (let seed = 1; seed <= EPISODES; seed += 1) {
    const episode = writeEpisode(
      join(dir, 'eps'),
      simulateEpisode({ seed, ending: seed % 5 ? 'ok' : 'running' }),
    );
    if (seed === 77) writeFileSync(join(episode, 'events.jsonl'), '{"torn":\n');
  }
  writeFileSync(
    join(dir, 'targets'),
    readdirSync(join(dir, 'eps'))
      .sort()
      .map((id) => `eps/${id}\0`)
      .join(''),
  );
  const whole = spawnSync(process.execPath, [bin, 'verify', '--targets', 'targets', '-0', '-j'], {
    cwd: dir,
  });
  writeFileSync(join(dir, 'whole.json'), whole.stdout);

  writeFileSync(join(dir, 'slurm.conf'), CONFIGURATION);
  start('slurmctld', 'slurmctld', '-D', '-c');
  for (const node of ['n1', 'n2']) start(node, 'slurmd', '-D', '-N', node);
  await until('two nodes are up', () => {
    const { stdout } = spawnSync('sinfo', ['-h', '-N', '-o', '%T'], { env, encoding: 'utf8' });
    return (stdout ?? '').split('\n').filter((state) => state === 'idle').length === 2;
  });

  // The first task waits in its first run, so that there is something to kill.
  writeFileSync(
    join(dir, 'verify.sh'),
    `#!/bin/sh
cd ${dir}
echo $PPID $$ > pids/$SLURM_ARRAY_TASK_ID
if [ "$SLURM_ARRAY_TASK_ID" = 0 ] && [ -z "$SLURM_RESTART_COUNT" ]; then exec sleep 300; fi
exec ${noesis} verify --targets targets -0 --shard auto --jobs 1 -q -f ndjson -o parts/$SLURM_ARRAY_TASK_ID.ndjson
`,
  );
  writeFileSync(
    join(dir, 'merge.sh'),
    `#!/bin/sh\ncd ${dir}\n${noesis} merge parts --expect ${SHARDS} -q -j -o merged.json\necho $? > merged.code\n`,
  );
  const log = join(dir, 'log', 'job.%A_%a');
  const array = slurm(
    'sbatch',
    '--parsable',
    '--requeue',
    '--open-mode=append',
    `--array=0-${SHARDS - 1}`,
    '-o',
    log,
    'verify.sh',
  );
  slurm(
    'sbatch',
    '--parsable',
    `--dependency=afterany:${array}`,
    '-o',
    join(dir, 'log', 'merge'),
    'merge.sh',
  );
  await until('the first task runs', () => existsSync(join(dir, 'pids', '0')) && read('pids', '0') !== '');
  const node = slurm('squeue', '-h', '-j', `${array}_0`, '-o', '%N');
  killNode(node, '0');
  console.log(`node ${node} was killed`);
  await until('the merge is done', () => existsSync(join(dir, 'merged.code')) && read('merged.code') !== '');

  const code = Number(read('merged.code'));
  const isEqual = read('merged.json') === read('whole.json');
  console.log(`${EPISODES} episodes in ${SHARDS} shards: merge exits ${code}, one run ${whole.status}`);
  console.log(isEqual ? 'the merged report is that of one run, byte for byte' : 'the reports differ');
  if (!isEqual || code !== whole.status) process.exitCode = 1;
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (daemons.has('slurmctld')) spawnSync('scancel', ['-u', user], { env });
  await setTimeout(500);
  for (const daemon of daemons.values()) daemon.kill();
  await setTimeout(1000);
  if (process.exitCode) console.error(`the files of the test are in ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}
