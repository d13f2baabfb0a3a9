/** A redirect is an answer like any other status: followed, it would carry the key to wherever it points. */
export const guardedFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
