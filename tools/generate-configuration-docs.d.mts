export declare const CONFIGURATION_DOCS: string;
export declare function configurationDocs<Variables>(
  processes: Readonly<Record<string, Variables>>,
  describe: (variables: Variables) => readonly object[],
): Promise<string>;
