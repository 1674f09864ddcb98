import type { JsonValue } from '../../../src/json/value.ts';

/** A value of a record, and the texts in it that no copy may have. */
export interface SecretCase {
  readonly what: string;
  readonly value: JsonValue;
  readonly secrets: readonly string[];
}

// No token is written in one piece, so that no scanner takes this file for a leak.
const letters = (length: number): string => 'aB3dE6gH9jK2mN5pQ8rS1tV4wX7yZ0cF'.repeat(9).slice(0, length);
const lower = (length: number): string => 'a1b2c3d4e5f60718293a4b5c6d7e8f90'.repeat(5).slice(0, length);
const upper = (length: number): string => 'ABCDEFGHIJKLMNOP2Q3R4S5T6U7V'.repeat(5).slice(0, length);
const joined = (...parts: readonly string[]): string => parts.join('');

/** Tokens that are recognised by their form alone. */
const TOKENS: readonly (readonly [what: string, token: string])[] = [
  ['AWS access key', joined('AKIA', upper(16))],
  ['AWS session key', joined('ASIA', upper(16))],
  ['AWS Bedrock key', joined('ABSK', letters(100))],
  ['GitHub personal token', joined('ghp_', letters(36))],
  ['GitHub OAuth token', joined('gho_', letters(36))],
  ['GitHub app token', joined('ghs_', letters(36))],
  ['GitHub refresh token', joined('ghr_', letters(36))],
  ['GitHub fine-grained token', joined('github_pat_', letters(22), '_', letters(59))],
  ['GitLab personal token', joined('glpat-', letters(20))],
  ['GitLab runner token', joined('glrt-', letters(20))],
  ['GitLab deploy token', joined('gldt-', letters(20))],
  ['Anthropic key', joined('sk-ant-api03-', letters(93))],
  ['Anthropic OAuth token', joined('sk-ant-oat01-', letters(80))],
  ['OpenAI key', joined('sk-', letters(48))],
  ['OpenAI project key', joined('sk-proj-', letters(60))],
  ['OpenAI service key', joined('sk-svcacct-', letters(60))],
  ['OpenRouter key', joined('sk-or-v1-', lower(64))],
  ['Google API key', joined('AIza', letters(35))],
  ['Google OAuth secret', joined('GOCSPX-', letters(28))],
  ['Google access token', joined('ya29.', letters(100))],
  ['Google refresh token', joined('1//0', letters(60))],
  ['Slack bot token', joined('xoxb-', '123456789012-123456789012-', letters(24))],
  ['Slack user token', joined('xoxp-', '123456789012-123456789012-', letters(32))],
  ['Slack app token', joined('xapp-', '1-A012345-1234567890-', lower(64))],
  ['Slack webhook', joined('hooks.slack.com/services/', 'T01234567/B01234567/', letters(24))],
  ['Discord webhook', joined('discord.com/api/webhooks/', '123456789012345678/', letters(68))],
  ['Discord bot token', joined('M', letters(25), '.', letters(6), '.', letters(38))],
  ['Telegram bot token', joined('123456789:AA', letters(33))],
  ['Stripe secret key', joined('sk_live_', letters(24))],
  ['Stripe restricted key', joined('rk_test_', letters(24))],
  ['Stripe webhook secret', joined('whsec_', letters(32))],
  ['npm token', joined('npm_', letters(36))],
  ['PyPI token', joined('pypi-AgEIcHlwaS5vcmc', letters(80))],
  ['RubyGems token', joined('rubygems_', lower(48))],
  ['NuGet key', joined('oy2', lower(43))],
  ['Hugging Face token', joined('hf_', letters(34))],
  ['Groq key', joined('gsk_', letters(52))],
  ['xAI key', joined('xai-', letters(80))],
  ['Perplexity key', joined('pplx-', letters(48))],
  ['Replicate token', joined('r8_', letters(37))],
  ['LangSmith key', joined('lsv2_pt_', lower(32), '_', lower(10))],
  ['SendGrid key', joined('SG.', letters(22), '.', letters(43))],
  ['Brevo key', joined('xkeysib-', lower(64), '-', letters(16))],
  ['Mailgun key', joined('key-', lower(32))],
  ['Mailchimp key', joined(lower(32), '-us12')],
  ['Twilio key', joined('SK', lower(32))],
  ['DigitalOcean token', joined('dop_v1_', lower(64))],
  ['Shopify token', joined('shpat_', lower(32))],
  ['Square token', joined('sq0atp-', letters(22))],
  ['Vault token', joined('hvs.', letters(60))],
  ['Databricks token', joined('dapi', lower(32))],
  ['Docker token', joined('dckr_pat_', letters(27))],
  ['Figma token', joined('figd_', letters(40))],
  ['Grafana token', joined('glsa_', letters(32), '_', lower(8))],
  ['Linear key', joined('lin_api_', letters(40))],
  ['Notion token', joined('ntn_', letters(46))],
  ['Airtable token', joined('pat', letters(14), '.', lower(64))],
  ['Atlassian token', joined('ATATT3', letters(180))],
  ['New Relic key', joined('NRAK-', upper(27))],
  ['Postman key', joined('PMAK-', lower(24), '-', lower(34))],
  ['Pulumi token', joined('pul-', lower(40))],
  ['Sentry token', joined('sntrys_', letters(80))],
  ['Supabase key', joined('sbp_', lower(40))],
  ['PlanetScale token', joined('pscale_tkn_', letters(43))],
  ['Doppler token', joined('dp.pt.', letters(43))],
  ['Netlify token', joined('nfp_', letters(36))],
  ['Tailscale key', joined('tskey-', 'auth-', letters(12), '-', letters(30))],
  ['Dynatrace token', joined('dt0c01.', upper(24), '.', upper(64))],
  ['Terraform token', joined(letters(14), '.atlasv1.', letters(64))],
  ['Azure client secret', joined('abc', '8Q~', letters(34))],
  ['age key', joined('AGE-SECRET-KEY-1', upper(58))],
  ['JSON web token', joined('eyJ', letters(20), '.eyJ', letters(40), '.', letters(43))],
  ['bcrypt hash', joined('$2b$12$', letters(53))],
  ['random base64', letters(40)],
];

const tokenCases: readonly SecretCase[] = TOKENS.map(([what, token]) => ({
  what,
  value: `see "${token}", please`,
  secrets: [token],
}));

/** Texts in which what is around a secret tells that it is one. */
const TEXTS: readonly (readonly [what: string, text: string, ...secrets: string[]])[] = [
  [
    'RSA key',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----',
    'MIIEow',
    'IBAAKC',
  ],
  [
    'OpenSSH key',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----',
    'b3BlbnNz',
  ],
  ['PGP key', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----', 'lQOYBF'],
  ['key cut off', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQ', 'MHcCAQ'],
  ['YAML with two spaces', 'user: ann\npassword:  hunter2\nport: 5432', 'hunter2'],
  ['YAML with quotes', "db:\n  password: 'it is, a secret'", 'it is, a secret'],
  ['environment', 'export DB_PASS=hunter2', 'hunter2'],
  ['environment with a number', 'REDIS_PASSWORD2=hunter2', 'hunter2'],
  ['environment in quotes', 'AWS_SECRET_ACCESS_KEY="abc/def+ghi"', 'abc/def+ghi'],
  ['environment of a program', 'PGPASSWORD=hunter2 psql -h db', 'hunter2'],
  ['environment of docker', 'docker run -e POSTGRES_PASSWORD=hunter2 postgres', 'hunter2'],
  ['properties', 'spring.datasource.password = hunter2', 'hunter2'],
  ['Java option', 'java -Djavax.net.ssl.keyStorePassword=hunter2 -jar x.jar', 'hunter2'],
  ['flag', 'tool --password hunter2 --verbose', 'hunter2'],
  ['flag with a sign', 'tool --api-key=k3y-of-mine run', 'k3y-of-mine'],
  ['flag in quotes', 'tool --client-secret "two words" run', 'two words'],
  ['token flag', 'gh auth --with --token abcd1234', 'abcd1234'],
  ['curl -u', 'curl -u ann:hunter2 https://example.org', 'hunter2'],
  ['curl -u in quotes', "curl -sS -u 'ann:hunter2' https://example.org", 'hunter2'],
  ['curl --user', 'curl https://example.org --user ann:hunter2', 'hunter2'],
  ['curl -b', 'curl -b "sid=s3ss10n; theme=dark" https://example.org', 's3ss10n'],
  ['mysql -p', 'mysql -uroot -phunter2 shop', 'hunter2'],
  ['mysqldump -p', "mysqldump -u root -p'hunter2' shop", 'hunter2'],
  ['sshpass', 'sshpass -p hunter2 ssh ann@host', 'hunter2'],
  ['docker login', 'docker login -u ann -p hunter2 registry', 'hunter2'],
  ['redis-cli', 'redis-cli -h host -a hunter2 ping', 'hunter2'],
  ['mongosh', 'mongosh -u ann -p hunter2 shop', 'hunter2'],
  ['openssl', 'openssl rsa -in k.pem -passin pass:hunter2', 'hunter2'],
  ['smbclient', 'smbclient //h/share -U ann%hunter2', 'hunter2'],
  ['header', "curl -H 'Authorization: Bearer abc.def-ghi' x", 'abc.def-ghi'],
  ['basic header', 'Authorization: Basic YW5uOmh1bnRlcjI=', 'YW5uOmh1bnRlcjI='],
  ['token header', 'authorization: token abcd1234efgh', 'abcd1234efgh'],
  ['digest header', 'Authorization: Digest username="ann", response="6629fae4"', '6629fae4'],
  ['header without a scheme', 'Authorization: abcd1234', 'abcd1234'],
  ['proxy header', 'Proxy-Authorization: Basic YW5uOmh1bnRlcjI=', 'YW5uOmh1bnRlcjI='],
  ['key header', "-H 'X-Api-Key: k3yofmine'", 'k3yofmine'],
  ['token header of GitLab', 'PRIVATE-TOKEN: abcd1234', 'abcd1234'],
  ['cookie header', 'Cookie: sid=s3ss10n; csrf=t0k3n\nHost: x', 's3ss10n', 't0k3n'],
  ['cookie that is set', 'Set-Cookie: sid=s3ss10n; Path=/; HttpOnly', 's3ss10n'],
  ['header in code', 'headers = {"Authorization": "Bearer abcd1234"}', 'abcd1234'],
  ['header by its name', 'headers["x-api-key"] = "k3yofmine"', 'k3yofmine'],
  ['URL', 'postgres://postgres:postgres@db:5432/x', ':postgres@'],
  ['URL without a user', 'redis://:hunter2@cache:6379', 'hunter2'],
  ['URL with signs', 'mongodb+srv://ann:p@ss:w0rd@cluster.example.org/x', 'p@ss:w0rd', 'w0rd'],
  ['URL with a token', 'git clone https://abcd1234efgh5678@github.com/a/b', 'abcd1234efgh5678'],
  ['URL query', 'GET /v1?user=ann&api_key=abcd1234&x=1', 'abcd1234'],
  ['signed URL', 'https://x.blob.core.windows.net/a?sv=1&sig=abCD%2F12%3D', 'abCD%2F12%3D'],
  ['connection string', 'Server=db;User Id=sa;Password=hunter2;Encrypt=true', 'hunter2'],
  [
    'storage account',
    'DefaultEndpointsProtocol=https;AccountKey=abcdefghijklmnopqrstuv==;x',
    'abcdefghijklmnopqrstuv',
  ],
  ['JSON in a text', 'sent {"user": "ann", "password": "hunter2"} to it', 'hunter2'],
  ['escaped JSON in a text', 'sent {\\"password\\": \\"hunter2\\"} to it', 'hunter2'],
  ['Python', "client = connect(user='ann', password='hunter2')", 'hunter2'],
  ['Ruby', ":password => 'hunter2'", 'hunter2'],
  ['Go', 'password := "hunter2"', 'hunter2'],
  ['TypeScript', 'const apiKey: string = "k3yofmine"', 'k3yofmine'],
  ['XML', '<server><password>hunter2</password></server>', 'hunter2'],
  ['netrc', 'machine example.org login ann password hunter2', 'hunter2'],
  ['SQL', "ALTER USER ann WITH PASSWORD 'hunter2'", 'hunter2'],
  ['SQL of MySQL', "CREATE USER ann IDENTIFIED BY 'hunter2'", 'hunter2'],
  ['sentence', 'the password is hunter2, she said', 'hunter2'],
  ['npmrc', '//registry.example.org/:_authToken=abcd1234', 'abcd1234'],
  ['seed phrase', 'mnemonic: witch collapse practice feed', 'witch', 'feed'],
  ['mail address', 'ask ann.lee@example.org', 'ann.lee@example.org'],
  ['home of a user', 'cd /home/me/x', '/me/'],
  ['home on Windows', 'cd C:\\Users\\ann\\x', '\\ann\\'],
];

const textCases: readonly SecretCase[] = TEXTS.map(([what, value, ...secrets]) => ({ what, value, secrets }));

const member = (name: string, value: JsonValue = 'hunter2'): SecretCase => ({
  what: `member ${name}`,
  value: { [name]: value },
  secrets: ['hunter2'],
});

/** Values in which a name tells that they are secret. */
const VALUES: readonly SecretCase[] = [
  ...'password passwd PASSWORD dbPassword db_pass userPass passphrase new_password password2 secret clientSecret apiKey api_key APIKey x-api-key api_key_value token access_token refreshToken authToken _authToken Authorization proxy-authorization Cookie set-cookie credentials private_key signingKey aws_secret_access_key connectionString pass pwd'
    .split(' ')
    .map((name) => member(name)),
  member('credentials', { user: 'hunter2', more: ['hunter2', { deep: 'hunter2' }] }),
  { what: 'a number', value: { password: 12345678 }, secrets: ['12345678'] },
  {
    what: 'a number that no double holds',
    value: { pin: 1, passcode: '0987654321' },
    secrets: ['0987654321'],
  },
  { what: 'a pair', value: { name: 'DB_PASSWORD', value: 'hunter2' }, secrets: ['hunter2'] },
  { what: 'a pair of key and value', value: [{ key: 'api_key', value: 'hunter2' }], secrets: ['hunter2'] },
  { what: 'a header as a pair', value: { name: 'Cookie', value: 'sid=hunter2' }, secrets: ['hunter2'] },
  { what: 'a header as a list of two', value: [['Authorization', 'hunter2']], secrets: ['hunter2'] },
  { what: 'headers in a flat list', value: ['Host', 'x', 'x-api-key', 'hunter2'], secrets: ['hunter2'] },
  { what: 'the words of a command', value: ['tool', '--password', 'hunter2'], secrets: ['hunter2'] },
  { what: 'JSON as a text', value: '{"args":{"password":"hunter2"}}', secrets: ['hunter2'] },
  {
    what: 'JSON as a text in JSON',
    value: JSON.stringify(JSON.stringify({ pass: 'hunter2' })),
    secrets: ['hunter2'],
  },
  {
    what: 'JSON as a text, with escapes',
    value: '{"\\u0070assword":"hunter\\u0032"}',
    secrets: ['hunter', 'u0032'],
  },
  { what: 'a list as a text', value: ' [{"name":"API_KEY","value":"hunter2"}]', secrets: ['hunter2'] },
];

/** The least that a copy for sharing may not have. */
export const SECRETS: readonly SecretCase[] = [...tokenCases, ...textCases, ...VALUES];
