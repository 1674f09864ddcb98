/** A kind of token with a fixed prefix. */
interface TokenFormat {
  readonly name: string;
  /** Every such token has one of these prefixes. */
  readonly starts: readonly string[];
  /** Regex source for the rest, bounded so that no text makes it slow. */
  readonly rest: string;
}

/** At least `least` letters, digits, `_` and `-`. */
const word = (least: number, most = 1000): string => `[A-Za-z0-9_-]{${least},${most}}`;
/** At least `least` letters and digits. */
const plain = (least: number, most = 255): string => `[A-Za-z0-9]{${least},${most}}`;
const hex = (length: number): string => `[a-fA-F0-9]{${length},${length}}`;
/** Kebab-case words are not keys: requires a digit, and an upper-case letter or a pair of digits. */
const MIXED = '(?=[A-Za-z0-9_-]{0,200}[0-9])(?=[A-Za-z0-9_-]{0,200}(?:[A-Z]|[0-9][a-z][0-9]))';

const format = (name: string, starts: string, rest: string): TokenFormat => ({
  name,
  starts: starts.split(' '),
  rest,
});

/**
 * Published token formats of common services. A longer prefix comes before a shorter one that it contains.
 */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  format('aws-key', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  format('aws-key', 'ABSK', '[A-Za-z0-9+/]{80,200}={0,2}'),
  format('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', plain(30)),
  format('github-token', 'github_pat_', '[A-Za-z0-9_]{22,255}'),
  format(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glimt- glagent- glsoat- gloas- glffct-',
    word(20, 200),
  ),
  format('anthropic-key', 'sk-ant-', word(20)),
  format('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-or- sess-', word(20)),
  format('openai-key', 'sk-', MIXED + word(20)),
  format('google-key', 'AIza', word(35, 35)),
  format('google-key', 'GOCSPX-', word(20, 64)),
  format('google-key', 'ya29.', word(20)),
  format('google-key', '1//0', word(30, 200)),
  format('google-key', 'AQ.Ab8', word(20, 100)),
  format(
    'slack-token',
    'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe.xoxp- xoxe.xoxb-',
    '[A-Za-z0-9%-]{10,255}',
  ),
  format(
    'slack-webhook',
    'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/',
    '[A-Za-z0-9/_-]{20,200}',
  ),
  format(
    'discord-webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    `\\d{10,25}/${word(30, 100)}`,
  ),
  format('teams-webhook', '.webhook.office.com/webhookb2/', '[A-Za-z0-9@/_-]{30,300}'),
  format('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_', plain(16)),
  format('stripe-key', 'whsec_', '[A-Za-z0-9+/]{20,100}={0,2}'),
  format('npm-token', 'npm_', plain(36, 64)),
  format('pypi-token', 'pypi-', word(40)),
  format('rubygems-token', 'rubygems_', hex(48)),
  format('crates-token', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  format('nuget-key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9])'),
  format('huggingface-token', 'hf_ api_org_', plain(30, 64)),
  format('groq-key', 'gsk_', plain(30, 100)),
  format('xai-key', 'xai-', plain(40, 200)),
  format('perplexity-key', 'pplx-', plain(32, 100)),
  format('replicate-token', 'r8_', plain(30, 64)),
  format('langsmith-key', 'lsv2_pt_ lsv2_sk_', '[A-Za-z0-9_]{32,100}'),
  format('tavily-key', 'tvly-', word(20, 64)),
  format('firecrawl-key', 'fc-', `${hex(32)}(?![A-Za-z0-9])`),
  format('sendgrid-key', 'SG.', `${word(16, 64)}\\.${word(16, 64)}`),
  format('brevo-key', 'xkeysib- xsmtpsib-', `${hex(64)}-${plain(16, 20)}`),
  format('mailgun-key', 'key-', `${hex(32)}(?![A-Za-z0-9])`),
  format('twilio-key', 'SK', `${hex(32)}(?![A-Za-z0-9])`),
  format('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', hex(64)),
  format('shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', hex(32)),
  format('square-token', 'sq0atp- sq0csp- sq0idp-', word(22, 60)),
  format('square-token', 'EAAA', word(56, 100)),
  format('facebook-token', 'EAAC EAAB EAAG', plain(80, 400)),
  format('vault-token', 'hvs. hvb. hvr.', word(20, 300)),
  format('databricks-token', 'dapi', `${hex(32)}(?:-\\d)?`),
  format('docker-token', 'dckr_pat_ dckr_oat_', word(20, 100)),
  format('dropbox-token', 'sl.', word(60, 1500)),
  format('figma-token', 'figd_ figo_', word(30, 100)),
  format('grafana-token', 'glsa_ glc_', '[A-Za-z0-9+/_=]{30,400}'),
  format('linear-key', 'lin_api_ lin_oauth_', plain(32, 64)),
  format('notion-token', 'ntn_', plain(40, 64)),
  format('notion-token', 'secret_', `${plain(43, 43)}(?![A-Za-z0-9])`),
  format('airtable-token', 'pat', `${plain(14, 14)}\\.${hex(64)}`),
  format('atlassian-token', 'ATATT3 ATCTT3 ATBB', '[A-Za-z0-9_=-]{20,400}'),
  format('newrelic-key', 'NRAK- NRJS- NRII-', word(19, 64)),
  format('postman-key', 'PMAK-', '[A-Za-z0-9-]{50,80}'),
  format('pulumi-token', 'pul-', hex(40)),
  format('sentry-token', 'sntrys_ sntryu_', '[A-Za-z0-9+/=_-]{40,400}'),
  format('supabase-key', 'sbp_ sb_secret_', word(20, 100)),
  format('planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', word(30, 100)),
  format('doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9._-]{30,120}'),
  format('fly-token', 'FlyV1 fm1_ fm2_', '[A-Za-z0-9+/=_, -]{40,2000}'),
  format('netlify-token', 'nfp_ nfc_', plain(30, 64)),
  format('heroku-key', 'HRKU-', word(30, 100)),
  format('tailscale-key', 'tskey-', '[A-Za-z0-9-]{20,100}'),
  format('dynatrace-token', 'dt0c01. dt0s01. dt0s02.', `${plain(8, 64)}\\.${plain(24, 100)}`),
  format('contentful-token', 'CFPAT-', word(40, 64)),
  format('typeform-token', 'tfp_', '[A-Za-z0-9_.=-]{40,80}'),
  format('buildkite-token', 'bkua_ bkct_', hex(40)),
  format('sourcegraph-token', 'sgp_', '[A-Za-z0-9_]{40,80}'),
  format('jfrog-token', 'AKCp', plain(60, 100)),
  format('1password-token', 'ops_eyJ', word(100, 4000)),
  format('age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  format('terraform-token', '.atlasv1.', word(50, 100)),
  format('azure-secret', 'AccountKey= SharedAccessKey=', '[A-Za-z0-9+/]{20,100}={0,2}'),
];
