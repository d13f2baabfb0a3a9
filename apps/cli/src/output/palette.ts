type Paint = (text: string) => string;

export type Palette = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>;

const ESCAPE = '\u001b[';

/** Colours, or texts as they are where the output is no terminal or colours are not wanted. */
export function palette(enabled: boolean): Palette {
  const paint = (open: number, close: number): Paint =>
    enabled ? (text) => `${ESCAPE}${open}m${text}${ESCAPE}${close}m` : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
