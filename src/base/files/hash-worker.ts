import { parentPort } from 'node:worker_threads';
import { type HashAnswer, type HashOrder, LocalHash } from './stream-hash.ts';

// The worker thread of ThreadHash.
const hash = new LocalHash();
const answer = (message: HashAnswer, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);
parentPort?.on('message', async (order: HashOrder) => {
  if (order === 'mark') hash.mark();
  else if (order === 'finish') answer(await hash.finish());
  else {
    hash.update(order);
    answer(order, [order.buffer]);
  }
});
