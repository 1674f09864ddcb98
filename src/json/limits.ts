/** Deeper nesting than this is refused: a recursive reader somewhere downstream would crash on it. */
export const MAX_DEPTH = 1000;
