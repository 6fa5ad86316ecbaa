import { objectLocation } from './objects/object-location.ts'
import type { Setting } from './setting.ts'
import {
  address,
  databaseUrl,
  directHosts,
  email,
  hosts,
  keyText,
  list,
  networks,
  oneDatabaseUrl,
  oneOf,
  password,
  publicAddress,
  secretKey,
  text,
  urlOf,
  urlOrPath,
  urlsOrPaths,
  uuid,
  wholeNumber,
} from './setting-readers.ts'

/** Every setting. The source of `--help`, the README's table and validation. */
export const settings = {
  dataDir: {
    env: 'GATEHOUSE_DATA_DIR',
    isCommon: true,
    description: 'Folder for the embedded database, the secret key and cached advisories',
    fallback: './data',
    read: text,
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    isCommon: true,
    description:
      'URL of PostgreSQL 15 or newer (postgres://…); of several hosts (HOST1,HOST2), the primary is used; sslmode=require verifies certificate and host name, as verify-full does. Default: SQLite in the data folder',
    isSecret: true,
    read: databaseUrl,
  },
  databaseListenUrl: {
    env: 'GATEHOUSE_DATABASE_LISTEN_URL',
    description:
      'PostgreSQL URL for notifications if DATABASE_URL is a pooler in transaction mode. Default: DATABASE_URL',
    isSecret: true,
    read: databaseUrl,
  },
  databaseReplicaUrl: {
    env: 'GATEHOUSE_DATABASE_REPLICA_URL',
    description: 'PostgreSQL URL of a streaming replica of DATABASE_URL that serves lists and searches. Default: none',
    isSecret: true,
    read: oneDatabaseUrl,
  },
  role: {
    env: 'GATEHOUSE_ROLE',
    description:
      'Role of the process: serve (requests), work (imports and other background work), or both; serve and work need PostgreSQL',
    fallback: 'both',
    read: oneOf('serve', 'work', 'both'),
  },
  host: {
    env: 'GATEHOUSE_HOST',
    isCommon: true,
    description: 'Address to listen on',
    fallback: '127.0.0.1',
    read: text,
  },
  port: {
    env: 'GATEHOUSE_PORT',
    isCommon: true,
    description: 'Port to listen on; 0 chooses a free one (with DATABASE_URL only if GATEHOUSE_BASE_URL is set)',
    fallback: '7331',
    read: wholeNumber(0, 65_535),
  },
  baseUrl: {
    env: 'GATEHOUSE_BASE_URL',
    isCommon: true,
    description:
      'Public address of the server, optionally with a path (https://HOST/gatehouse). Default: http://HOST:PORT',
    read: publicAddress,
  },
  trustProxy: {
    env: 'GATEHOUSE_TRUST_PROXY',
    isCommon: true,
    description: 'Networks (CIDR, comma-separated) of reverse proxies whose X-Forwarded-For is trusted',
    fallback: '',
    read: networks,
  },
  adminEmail: {
    env: 'GATEHOUSE_ADMIN_EMAIL',
    isCommon: true,
    description: 'Email address of the administrator created on the first start',
    fallback: 'admin@gatehouse.local',
    read: email,
  },
  adminPassword: {
    env: 'GATEHOUSE_ADMIN_PASSWORD',
    isCommon: true,
    description: 'Password of that administrator (at least 12 characters). Default: a generated one, printed once',
    isSecret: true,
    read: password,
  },
  adminApiKey: {
    env: 'GATEHOUSE_ADMIN_API_KEY',
    isCommon: true,
    description: 'API key (a UUID) of that administrator. Default: a generated one, printed once',
    isSecret: true,
    read: uuid,
  },
  secretKey: {
    env: 'GATEHOUSE_SECRET_KEY',
    isCommon: true,
    description: 'Key for digests and encryption, 64 hexadecimal digits. Default: secret.key in the data folder',
    isSecret: true,
    read: secretKey,
  },
  logLevel: {
    env: 'GATEHOUSE_LOG_LEVEL',
    isCommon: true,
    description: 'Minimum log level: trace, debug, info, warn, error, silent',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
  tokenAlgorithm: {
    env: 'GATEHOUSE_TOKEN_ALGORITHM',
    description:
      'Signature algorithm of access tokens: ES256, RS256 or EdDSA; a change is announced in the key set and takes effect a day later',
    fallback: 'ES256',
    read: oneOf('ES256', 'RS256', 'EdDSA'),
  },
  bodyLimitBytes: {
    env: 'GATEHOUSE_BODY_LIMIT_BYTES',
    description:
      'Maximum size of a request body in bytes after decompression; bodies other than files and dependency graphs are always limited to 1 MiB',
    fallback: String(25 * 1024 * 1024),
    read: wholeNumber(1024, 256 * 1024 * 1024),
  },
  rateLimitPerMinute: {
    env: 'GATEHOUSE_RATE_LIMIT_PER_MINUTE',
    description: 'Requests per credential, process and minute; 0 disables the limit',
    fallback: '0',
    read: wholeNumber(0, 1_000_000),
  },
  failedSecretsPerMinute: {
    env: 'GATEHOUSE_FAILED_SECRETS_PER_MINUTE',
    description:
      'Failed API keys, client secrets and single sign-ons allowed per IP address, process and minute (a fifth of that per client or identity provider) before further attempts get 429; 0 disables the limit',
    fallback: '1000',
    read: wholeNumber(0, 100_000),
  },
  refreshReuseSeconds: {
    env: 'GATEHOUSE_REFRESH_REUSE_SECONDS',
    description:
      'Seconds for which a used refresh token returns the same successor again, for clients that lose a response; later uses, or with 0 all, revoke the session',
    fallback: '0',
    read: wholeNumber(0, 60),
  },
  sessionIdleMinutes: {
    env: 'GATEHOUSE_SESSION_IDLE_MINUTES',
    description: 'Minutes without use after which a browser is signed out',
    fallback: '720',
    read: wholeNumber(5, 100_000),
  },
  sessionHours: {
    env: 'GATEHOUSE_SESSION_HOURS',
    description: 'Hours after the sign-in at which a browser is signed out even if it is in use',
    fallback: '168',
    read: wholeNumber(1, 10_000),
  },
  metricsAllow: {
    env: 'GATEHOUSE_METRICS_ALLOW',
    isCommon: true,
    description:
      'Networks (CIDR, comma-separated) that may read /metrics; 0.0.0.0/0,::/0 allows all. Default: this machine',
    fallback: '127.0.0.0/8,::1/128',
    read: networks,
  },
  metricsToken: {
    env: 'GATEHOUSE_METRICS_TOKEN',
    description: 'Bearer token for reading /metrics from any network',
    isSecret: true,
    read: password,
  },
  tracesEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'Base URL of an OpenTelemetry collector (OTLP over HTTP) that receives traces. Default: no traces',
    read: urlOf('http:', 'https:'),
  },
  advisoriesUrl: {
    env: 'GATEHOUSE_ADVISORIES_URL',
    isCommon: true,
    description: 'Source of advisories in the layout of the public OSV export: a URL or a folder',
    fallback: 'https://osv-vulnerabilities.storage.googleapis.com',
    read: urlOrPath,
  },
  advisoriesSyncMinutes: {
    env: 'GATEHOUSE_ADVISORIES_SYNC_MINUTES',
    isCommon: true,
    description: 'Minutes between automatic advisory syncs; 0 disables them in favor of "gatehouse advisories sync"',
    fallback: '0',
    read: wholeNumber(0, 100_000),
  },
  exploitSources: {
    env: 'GATEHOUSE_EXPLOIT_SOURCES',
    description:
      'Catalogs of exploited vulnerabilities (layouts of CISA and ENISA) and EPSS scores (CSV of FIRST), read with each advisory sync: comma-separated URLs and files; empty for none',
    fallback: [
      'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
      'https://euvdservices.enisa.europa.eu/api/kev/dump',
      'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    ].join(','),
    isEmptyAllowed: true,
    read: urlsOrPaths,
  },
  testWorkers: {
    env: 'GATEHOUSE_TEST_WORKERS',
    description: 'Number of test threads; 0 means one per core',
    fallback: '0',
    read: wholeNumber(0, 256),
  },
  testSeconds: {
    env: 'GATEHOUSE_TEST_SECONDS',
    description: 'Seconds of processor time per test',
    fallback: '60',
    read: wholeNumber(1, 3600),
  },
  testMemoryMb: {
    env: 'GATEHOUSE_TEST_MEMORY_MB',
    description: 'Memory in MB per test thread',
    fallback: '1024',
    read: wholeNumber(64, 65_536),
  },
  npmRegistry: {
    env: 'GATEHOUSE_NPM_REGISTRY',
    isCommon: true,
    description: 'Base URL of the npm registry or a mirror. Default: the public one',
    read: address,
  },
  npmToken: {
    env: 'GATEHOUSE_NPM_TOKEN',
    description: 'Bearer token for that registry',
    isSecret: true,
    read: text,
  },
  rubygemsUrl: {
    env: 'GATEHOUSE_RUBYGEMS_URL',
    isCommon: true,
    description: 'Base URL of a gem server with a compact index, or a mirror. Default: the public one',
    read: address,
  },
  pypiUrl: {
    env: 'GATEHOUSE_PYPI_URL',
    isCommon: true,
    description:
      'Base URL of the Python package index or a mirror, with or without a final /simple (user:password@ before the host is sent as Basic authorization). Default: the public one',
    isSecret: true,
    read: (value) => urlOf('http:', 'https:')(value).replace(/\/+$/, ''),
  },
  pypiIndexes: {
    env: 'GATEHOUSE_PYPI_INDEXES',
    description:
      'Further Python package indexes that requirements files may use, comma-separated (user:password@ as above); others are not queried',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  },
  pythonVersion: {
    env: 'GATEHOUSE_PYTHON_VERSION',
    description:
      'Python version if neither a request nor a file beside the requirements names one, for example 3.13 or 3.13.1. Default: 3.13, or the version to which most requirements of a file apply',
    read: (value) => {
      if (/^[23]\.\d{1,2}(\.\d{1,3})?$/.test(value)) return value
      throw new Error('must be a version of Python, for example 3.13')
    },
  },
  mavenRepositories: {
    env: 'GATEHOUSE_MAVEN_REPOSITORIES',
    isCommon: true,
    description:
      'Base URLs of Maven repositories in order, comma-separated (user:password@ before the host is sent as Basic authorization); they replace all repositories named in build files. Default: those, then the public one',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  },
  goProxy: {
    env: 'GATEHOUSE_GO_PROXY',
    isCommon: true,
    description:
      'Base URL of a Go module proxy (user:password@ as above), or the output of `go env GOPROXY`, whose first URL is used. Default: none; then only a go.mod of Go 1.17 or newer, or one with a go.sum, is resolved',
    isSecret: true,
    read: (value) => urlOf('http:', 'https:')(value.split(/[,|]/)[0]!.trim()).replace(/\/+$/, ''),
  },
  jobLeaseSeconds: {
    env: 'GATEHOUSE_JOB_LEASE_SECONDS',
    description:
      'Seconds after which the background work of a dead process is resumed by another process that shares the database',
    fallback: '20',
    read: wholeNumber(1, 3600),
  },
  localRepositories: {
    env: 'GATEHOUSE_LOCAL_REPOSITORIES',
    isCommon: true,
    description:
      'Folders on this machine, comma-separated, whose repositories every organization may import. Default: none',
    fallback: '',
    read: (value) => list(value),
  },
  archiveMb: {
    env: 'GATEHOUSE_ARCHIVE_MB',
    description: 'Maximum size in MB of an uploaded archive',
    fallback: '256',
    read: wholeNumber(1, 100_000),
  },
  objectStore: {
    env: 'GATEHOUSE_OBJECT_STORE',
    description:
      'S3-compatible store for uploaded archives, https://HOST/BUCKET or https://HOST/BUCKET/PREFIX; all processes of one installation share it, other installations need another. Default: the database',
    read: objectLocation,
  },
  archiveStorage: {
    env: 'GATEHOUSE_ARCHIVE_STORAGE',
    description:
      'Storage of new archives if GATEHOUSE_OBJECT_STORE is set: bucket or database; existing archives stay where they are',
    fallback: 'bucket',
    read: oneOf('bucket', 'database'),
  },
  awsAccessKeyId: {
    env: 'AWS_ACCESS_KEY_ID',
    description: 'Access key for GATEHOUSE_OBJECT_STORE',
    isSecret: true,
    read: keyText,
  },
  awsSecretAccessKey: {
    env: 'AWS_SECRET_ACCESS_KEY',
    description: 'Secret of that access key',
    isSecret: true,
    read: keyText,
  },
  awsRegion: {
    env: 'AWS_REGION',
    description: 'Region of GATEHOUSE_OBJECT_STORE',
    fallback: 'us-east-1',
    read: keyText,
  },
  importDiskMb: {
    env: 'GATEHOUSE_IMPORT_DISK_MB',
    description: 'Disk space in MB per import for reading a repository; also the maximum unpacked size of an archive',
    fallback: '1024',
    read: wholeNumber(1, 1_000_000),
  },
  outgoingAllow: {
    env: 'GATEHOUSE_OUTGOING_ALLOW',
    isCommon: true,
    description: 'Private networks (CIDR) and host names that outgoing requests may reach, comma-separated',
    fallback: '',
    read: hosts,
  },
  outgoingProxy: {
    env: 'GATEHOUSE_OUTGOING_PROXY',
    isCommon: true,
    description: 'HTTP proxy for outgoing requests',
    isSecret: true,
    read: urlOf('http:', 'https:'),
  },
  outgoingNoProxy: {
    env: 'GATEHOUSE_OUTGOING_NO_PROXY',
    description: 'Hosts reached without that proxy, comma-separated; * for all',
    fallback: '',
    read: directHosts,
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>
