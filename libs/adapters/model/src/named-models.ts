import type { Model, ModelAnswer, ModelRequest } from '@palimpsest/kernel';

/** Names come from a list that the host allows: more than this at once is no such list. */
const MOST_MODELS = 256;

/** The models of one provider: each request goes to the one that it names. They are made as they are asked for. */
export class NamedModels implements Model {
  private readonly models = new Map<string, Model>();

  constructor(
    /** Answers what names none. */
    private readonly configured: string,
    private readonly make: (name: string) => Model,
  ) {}

  ask(request: ModelRequest): Promise<ModelAnswer> {
    return this.named(request.model ?? this.configured).ask(request);
  }

  private named(name: string): Model {
    const known = this.models.get(name);
    if (known) return known;
    if (this.models.size >= MOST_MODELS) this.models.clear();
    const model = this.make(name);
    this.models.set(name, model);
    return model;
  }
}
