/** Reads something; `none` if that fails with an expected error, such as that a file is missing. Throws other errors. */
export function orNone<T>(read: () => T, none: T, isExpected: (error: unknown) => boolean): T {
  try {
    return read();
  } catch (error) {
    if (isExpected(error)) return none;
    throw error;
  }
}
