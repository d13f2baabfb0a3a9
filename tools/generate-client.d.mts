export declare const CLIENT_TYPES: string;
export declare function clientTypes(document: object): Promise<string>;
