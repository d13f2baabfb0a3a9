import { ValidationError } from '@palimpsest/kernel';

/**
 * A model that the host does not ask is refused when a run is made, not when it gets there (host specification §3.1). Where
 * the provider `mock` answers, any name is good. `models`: absent where they are not known.
 * @throws ValidationError with `details.field`
 */
export function checkModelWish(
  configurable: Readonly<Record<string, unknown>>,
  models: readonly string[] | undefined,
): void {
  const { model, mockProvider } = configurable;
  if (models === undefined || model === undefined || mockProvider !== undefined) return;
  if (typeof model === 'string' && models.includes(model)) return;
  throw new ValidationError('The model is none that runs of this host may ask for.', {
    field: 'configurable.model',
  });
}
