/** Chat messages as the API takes them. */
export type Message = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
};

export type ConversationOptions = {
  /** Stands in every text, so that it can be looked for. */
  readonly marker: string;
  /** Lines of a tool's result; some 25 tokens each. */
  readonly resultLines?: number;
};

const SERVICES = ['billing', 'checkout', 'search', 'inventory', 'ledger'];

/** What one round appends: each list is one request. The last message of a round is a plain assistant's. */
export function round(number: number, options: ConversationOptions): readonly (readonly Message[])[] {
  const { marker } = options;
  const service = SERVICES[number % SERVICES.length] ?? 'billing';
  const calls = Array.from({ length: 1 + (number % 3) }, (_, index) => ({
    id: `call_${number}_${index}`,
    name: index % 2 === 0 ? 'read_log' : 'query_metrics',
    input: { service, region: `eu-${index + 1}`, ticket: `INC-${4000 + number}`, note: marker },
  }));
  const results = calls.map(({ id }, index): Message => ({
    role: 'tool',
    tool_call_id: id,
    content: logText({ number, index, service }, options),
  }));
  return [
    [
      {
        role: 'user',
        content: `${marker} Round ${number}: why does ${service} answer slowly since 2026-03-${(number % 27) + 1}?`,
      },
    ],
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
    ],
    // Answers of parallel calls come in any order.
    number % 2 === 0 ? results : [...results].reverse(),
    [
      {
        role: 'assistant',
        content: `${marker} ${service} waits for /var/lib/${service}/index-${number}.db; decided: limit = ${100 + number}.`,
      },
    ],
  ];
}

export function instruction(marker: string): Message {
  return { role: 'system', content: `${marker} You help an operator. Never restart a primary.` };
}

function logText(
  place: { readonly number: number; readonly index: number; readonly service: string },
  { marker, resultLines = 12 }: ConversationOptions,
): string {
  const { number, index, service } = place;
  const lines = Array.from(
    { length: resultLines },
    (_, line) =>
      `2026-03-0${(line % 9) + 1}T10:${10 + (line % 50)}:00Z ${service}-${index} latency_ms=${number * 37 + line} path=/srv/${service}/${line}.json`,
  );
  return [`${marker} result ${number}.${index}`, ...lines].join('\n');
}
