/** The database's clock at this moment of the statement, in whole milliseconds, read as a number. */
export const CLOCK_MS = `floor(extract(epoch FROM clock_timestamp()) * 1000)::float8`;
