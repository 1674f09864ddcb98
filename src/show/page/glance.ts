import { plain } from '../render/style.ts';

/** In columns. */
const WIDTH = 100;

/** How the text is laid out that a page has for readers without its script. */
export const GLANCE = { style: plain, width: WIDTH, cutWidth: WIDTH };
