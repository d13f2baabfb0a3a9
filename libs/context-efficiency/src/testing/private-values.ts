/** Made-up values of each kind that must never come out anywhere. None is of a real account. */
export const PRIVATE_VALUES: Readonly<Record<string, string>> = {
  bearer: 'Bearer abc.def-ghi',
  basic: 'Authorization: Basic dXNlcjpwdw==',
  tokenHeader: 'authorization : ApiKey 12345678',
  npm: `npm_${'a1'.repeat(10)}`,
  urlWithPassword: 'see postgres://svc:pa55@db.internal/x',
  jdbc: 'jdbc:sqlserver://db;user=sa;password=x1;',
  openai: 'sk-proj-AbCd1234EfGh',
  stripe: 'sk_live_abcd1234',
  github: `ghp_${'A1'.repeat(6)}`,
  githubFineGrained: `github_pat_${'a1'.repeat(10)}`,
  gitlab: `glpat-${'a-'.repeat(6)}`,
  slack: 'xoxb-1234567890',
  aws: 'AKIAABCDEFGHIJKLMNOP',
  awsTemporary: 'ASIAABCDEFGHIJKLMNOP',
  google: `AIza${'a'.repeat(35)}`,
  pem: '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----',
  pemWithoutLabel: '-----BEGIN PRIVATE KEY-----\nMIIB',
  pgp: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  jwt: 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  password: 'password = hunter2',
  environment: 'DB_PASSWORD=hunter2',
  json: '"client_secret": "abcd"',
};

/** Of telemetry alone: places, people, ids. */
export const PRIVATE_LABELS: Readonly<Record<string, string>> = {
  email: 'write to ada@example.org',
  url: 'https://host/x',
  home: '/home/ada/x',
  mac: 'at "/Users/ada"',
  windows: 'C:\\work',
  relative: './x',
  parent: '(../x',
  session: 'session-0a1b2c3d',
  run: 'run_12345678',
  repository: 'repo-payments',
};
