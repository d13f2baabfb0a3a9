import type { ModelUsage } from '@palimpsest/kernel';
import type { LanguageModel, LanguageModelUsage, ModelMessage as SdkMessage } from 'ai';

/** The numbers of a {@link ModelUsage}. */
export type UsageNumbers = Omit<ModelUsage, 'provider' | 'model'>;

/** The options of the SDK that only one provider knows, on a message or on a request. */
export type SdkOptions = NonNullable<SdkMessage['providerOptions']>;

/** What differs between providers, over the SDK's model of each. */
export type WireProvider = {
  readonly provider: string;
  readonly modelName: string;
  readonly sdkModel: LanguageModel;
  /** Whether it knows what a seed is. */
  readonly takesSeed: boolean;
  /** Marks the end of what the provider shall keep in its cache. */
  readonly cacheMark?: SdkOptions;
  /** Sent with a request for an object. */
  readonly objectOptions?: SdkOptions;
  /** Numbers as the provider reported them: the SDK gives 0 for some that are missing. */
  usageNumbers(usage: LanguageModelUsage): UsageNumbers;
  /** Why an answer was refused, as one word of the provider. */
  refusalCategory(refusal: RefusalSigns): string | undefined;
};

export type RefusalSigns = {
  readonly rawFinishReason: string | undefined;
  readonly providerMetadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
};
