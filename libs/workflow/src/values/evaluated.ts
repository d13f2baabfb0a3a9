/** A value, perhaps none; or that it could not be had. Why not is content, and stays out. */
export type Evaluated<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false };

export const NOT_EVALUATED = { ok: false } as const;

export function evaluated<Value>(value: Value): Evaluated<Value> {
  return { ok: true, value };
}
