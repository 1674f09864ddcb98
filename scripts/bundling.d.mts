/** The options of every bundle, as far as tests look at them. */
export const COMMON: { readonly define: Readonly<Record<string, string>> };
