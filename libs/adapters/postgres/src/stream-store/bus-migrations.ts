import type { MigrationSet } from '../migrations/migration-set.js';

const STREAMS = `
CREATE TABLE bus.durables (
  stream text NOT NULL,
  durable text NOT NULL,
  PRIMARY KEY (stream, durable)
);

-- A row outlives its deliveries for the duplicate window: it is how the stream remembers the id.
CREATE TABLE bus.messages (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream text NOT NULL,
  id text NOT NULL,
  subject text NOT NULL,
  -- JSON, but as text: jsonb refuses NUL, reorders keys and rewrites numbers.
  body text NOT NULL,
  appended_at timestamptz NOT NULL,
  expires_at timestamptz,
  UNIQUE (stream, id)
);
CREATE INDEX messages_by_age ON bus.messages (appended_at);
CREATE INDEX messages_by_expiry ON bus.messages (expires_at) WHERE expires_at IS NOT NULL;

-- What a durable has not acknowledged yet.
CREATE TABLE bus.deliveries (
  stream text NOT NULL,
  durable text NOT NULL,
  place bigint NOT NULL REFERENCES bus.messages (place) ON DELETE CASCADE,
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (stream, durable, place)
);
CREATE INDEX deliveries_by_due ON bus.deliveries (stream, durable, due_at);
CREATE INDEX deliveries_by_place ON bus.deliveries (place);

CREATE TABLE bus.dead_letters (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream text NOT NULL,
  durable text NOT NULL,
  id text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  attempts integer NOT NULL,
  code text NOT NULL,
  buried_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (stream, durable, id)
);
CREATE INDEX dead_letters_by_stream ON bus.dead_letters (stream, number);
`;

/** Schema `bus`: the durable memory of the in-process bus. */
export const BUS_MIGRATIONS: MigrationSet = {
  schema: 'bus',
  migrations: [{ name: '0001-streams', sql: STREAMS }],
};
