import { request, type ClientRequest } from 'node:http';

/** A POST whose headers the server has taken and whose body is still to come. */
export class HalfSentRequest {
  readonly #answer: Promise<number | undefined>;

  private constructor(
    private readonly asking: ClientRequest,
    private readonly body: string,
  ) {
    this.#answer = new Promise((resolve, reject) => {
      asking.once('error', reject);
      asking.once('response', (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
    });
    this.#answer.catch(() => undefined);
  }

  /** Resolves when the server says "100 Continue": it is at work on the request. */
  static async open(url: string, key: string, body: object): Promise<HalfSentRequest> {
    const text = JSON.stringify(body);
    const asking = request(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        expect: '100-continue',
      },
    });
    const half = new HalfSentRequest(asking, text);
    await new Promise<void>((resolve, reject) => {
      asking.once('continue', () => resolve());
      asking.once('error', reject);
      asking.flushHeaders();
    });
    return half;
  }

  /** Sends the body; resolves with the status of the answer. */
  finish(): Promise<number | undefined> {
    this.asking.end(this.body);
    return this.#answer;
  }
}
