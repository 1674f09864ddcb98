import type { Random } from './random.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A UUID's text: version 4 for events, 5 for the ids that the runtime derives from content. */
export function uuid(random: Random, version: 4 | 5 = 4): string {
  const hex = random.hex(30);
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
}

/** The current form of an episode id: a ULID with a prefix. */
export function episodeId(random: Random, milliseconds: number): string {
  let time = '';
  for (let rest = milliseconds; time.length < 10; rest = Math.floor(rest / 32)) {
    time = crockford.charAt(rest % 32) + time;
  }
  let entropy = '';
  while (entropy.length < 16) entropy += crockford.charAt(random.int(32));
  return `ep_${time}${entropy}`;
}

/** The older form of an episode id: clock reading, microseconds, four hex digits and the seed. */
export function legacyEpisodeId(random: Random, milliseconds: number, seed: number): string {
  const [date = '', time = ''] = new Date(milliseconds).toISOString().split('T');
  const clock = `${date.replaceAll('-', '')}_${time.slice(0, 8).replaceAll(':', '')}`;
  return `ep_${clock}_${String(random.int(1_000_000)).padStart(6, '0')}_${random.hex(4)}_s${seed}`;
}
