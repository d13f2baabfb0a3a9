/** Command line settings: loopback only, and a log that shows neither statements nor values. */
export function serverSettings(port: number, durable: boolean): readonly string[] {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    // A commit still reaches the operating system: it survives a kill of the server, not a power cut.
    ...(!durable && { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
