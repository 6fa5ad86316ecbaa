import { objectLocation } from './objects/object-location.ts'
import { setting } from './setting.ts'
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
  uuid,
  wholeNumber,
} from './setting-readers.ts'

/** Every setting. The source of `--help`, the README's table and validation. */
export const settings = {
  dataDir: setting({
    env: 'GATEHOUSE_DATA_DIR',
    isCommon: true,
    description: 'Folder for the embedded database, the secret key and cached advisories',
    fallback: './data',
    read: text,
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    isCommon: true,
    description:
      'URL of PostgreSQL 15 or newer (postgres://…); of several hosts (HOST1,HOST2), the primary is used; sslmode=require verifies certificate and host name, as verify-full does. Default: SQLite in the data folder',
    isSecret: true,
    read: databaseUrl,
  }),
  databaseListenUrl: setting({
    env: 'GATEHOUSE_DATABASE_LISTEN_URL',
    description:
      'PostgreSQL URL for notifications if DATABASE_URL is a pooler in transaction mode. Default: DATABASE_URL',
    isSecret: true,
    read: databaseUrl,
  }),
  databaseReplicaUrl: setting({
    env: 'GATEHOUSE_DATABASE_REPLICA_URL',
    description: 'PostgreSQL URL of a streaming replica of DATABASE_URL that serves lists and searches. Default: none',
    isSecret: true,
    read: oneDatabaseUrl,
  }),
  databaseConnections: setting({
    env: 'GATEHOUSE_DATABASE_CONNECTIONS',
    description: 'Maximum number of PostgreSQL connections per process; a replica gets as many in addition',
    fallback: '10',
    read: wholeNumber(1, 500),
  }),
  role: setting({
    env: 'GATEHOUSE_ROLE',
    description:
      'Role of the process: serve (requests), work (imports and other background work), or both; serve and work need PostgreSQL',
    fallback: 'both',
    read: oneOf('serve', 'work', 'both'),
  }),
  host: setting({
    env: 'GATEHOUSE_HOST',
    isCommon: true,
    description: 'Address to listen on',
    fallback: '127.0.0.1',
    read: text,
  }),
  port: setting({
    env: 'GATEHOUSE_PORT',
    isCommon: true,
    description: 'Port to listen on; 0 chooses a free one (with DATABASE_URL only if GATEHOUSE_BASE_URL is set)',
    fallback: '7331',
    read: wholeNumber(0, 65_535),
  }),
  baseUrl: setting({
    env: 'GATEHOUSE_BASE_URL',
    isCommon: true,
    description:
      'Public address of the server, optionally with a path (https://HOST/gatehouse). Default: http://HOST:PORT',
    read: publicAddress,
  }),
  trustProxy: setting({
    env: 'GATEHOUSE_TRUST_PROXY',
    isCommon: true,
    description: 'Networks (CIDR, comma-separated) of reverse proxies whose X-Forwarded-For is trusted',
    fallback: '',
    read: networks,
  }),
  adminEmail: setting({
    env: 'GATEHOUSE_ADMIN_EMAIL',
    isCommon: true,
    description: 'Email address of the administrator created on the first start',
    fallback: 'admin@gatehouse.local',
    read: email,
  }),
  adminPassword: setting({
    env: 'GATEHOUSE_ADMIN_PASSWORD',
    isCommon: true,
    description: 'Password of that administrator (at least 12 characters). Default: a generated one, printed once',
    isSecret: true,
    read: password,
  }),
  adminApiKey: setting({
    env: 'GATEHOUSE_ADMIN_API_KEY',
    isCommon: true,
    description: 'API key (a UUID) of that administrator. Default: a generated one, printed once',
    isSecret: true,
    read: uuid,
  }),
  secretKey: setting({
    env: 'GATEHOUSE_SECRET_KEY',
    isCommon: true,
    description: 'Key for digests and encryption, 64 hexadecimal digits. Default: secret.key in the data folder',
    isSecret: true,
    read: secretKey,
  }),
  logLevel: setting({
    env: 'GATEHOUSE_LOG_LEVEL',
    isCommon: true,
    description: 'Minimum log level: trace, debug, info, warn, error, silent',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
  tokenAlgorithm: setting({
    env: 'GATEHOUSE_TOKEN_ALGORITHM',
    description:
      'Signature algorithm of access tokens: ES256, RS256 or EdDSA; a change is announced in the key set and takes effect a day later',
    fallback: 'ES256',
    read: oneOf('ES256', 'RS256', 'EdDSA'),
  }),
  signingKeyDays: setting({
    env: 'GATEHOUSE_SIGNING_KEY_DAYS',
    description: 'Days after which the signing key of access tokens is rotated',
    fallback: '90',
    read: wholeNumber(2, 3650),
  }),
  bodyLimitBytes: setting({
    env: 'GATEHOUSE_BODY_LIMIT_BYTES',
    description:
      'Maximum size of a request body in bytes after decompression; bodies other than files and dependency graphs are always limited to 1 MiB',
    fallback: String(25 * 1024 * 1024),
    read: wholeNumber(1024, 256 * 1024 * 1024),
  }),
  bodiesMb: setting({
    env: 'GATEHOUSE_BODIES_MB',
    description: 'Memory in MB for the bodies of all unfinished requests; further bodies get 503',
    fallback: '128',
    read: wholeNumber(1, 1_000_000),
  }),
  bodiesPerClientMb: setting({
    env: 'GATEHOUSE_BODIES_PER_CLIENT_MB',
    description:
      'Memory in MB for the bodies of unfinished requests per credential or IP address; further bodies get 429',
    fallback: '64',
    read: wholeNumber(1, 1_000_000),
  }),
  answersMb: setting({
    env: 'GATEHOUSE_ANSWERS_MB',
    description: 'Memory in MB for answers that clients have not read yet; further answers get 503',
    fallback: '64',
    read: wholeNumber(1, 1_000_000),
  }),
  answersPerClientMb: setting({
    env: 'GATEHOUSE_ANSWERS_PER_CLIENT_MB',
    description:
      'Memory in MB for unread answers per credential or IP address; further answers get 429, except the only one',
    fallback: '32',
    read: wholeNumber(1, 1_000_000),
  }),
  answerSilenceSeconds: setting({
    env: 'GATEHOUSE_ANSWER_SILENCE_SECONDS',
    description: 'Seconds after which a client that reads nothing of its answer is disconnected',
    fallback: '20',
    read: wholeNumber(1, 3600),
  }),
  bodySeconds: setting({
    env: 'GATEHOUSE_BODY_SECONDS',
    description: 'Seconds within which a request body must arrive; a slower request gets 408',
    fallback: '60',
    read: wholeNumber(1, 100),
  }),
  rateLimitPerMinute: setting({
    env: 'GATEHOUSE_RATE_LIMIT_PER_MINUTE',
    description: 'Requests per credential, process and minute; 0 disables the limit',
    fallback: '0',
    read: wholeNumber(0, 1_000_000),
  }),
  failedSecretsPerMinute: setting({
    env: 'GATEHOUSE_FAILED_SECRETS_PER_MINUTE',
    description:
      'Failed API keys, client secrets and single sign-ons allowed per IP address, process and minute (a fifth of that per client or identity provider) before further attempts get 429; 0 disables the limit',
    fallback: '1000',
    read: wholeNumber(0, 100_000),
  }),
  refreshReuseSeconds: setting({
    env: 'GATEHOUSE_REFRESH_REUSE_SECONDS',
    description:
      'Seconds for which a used refresh token returns the same successor again, for clients that lose a response; later uses, or with 0 all, revoke the session',
    fallback: '0',
    read: wholeNumber(0, 60),
  }),
  sessionIdleMinutes: setting({
    env: 'GATEHOUSE_SESSION_IDLE_MINUTES',
    description: 'Minutes without use after which a browser is signed out',
    fallback: '720',
    read: wholeNumber(5, 100_000),
  }),
  sessionHours: setting({
    env: 'GATEHOUSE_SESSION_HOURS',
    description: 'Hours after the sign-in at which a browser is signed out even if it is in use',
    fallback: '168',
    read: wholeNumber(1, 10_000),
  }),
  singleSignOnCheckMinutes: setting({
    env: 'GATEHOUSE_SSO_CHECK_MINUTES',
    description:
      'Minutes between checks that an identity provider still accepts a user, for providers that support offline_access; 0 disables the checks',
    fallback: '15',
    read: wholeNumber(0, 10_000),
  }),
  passwordResetMinutes: setting({
    env: 'GATEHOUSE_PASSWORD_RESET_MINUTES',
    description: 'Minutes for which a one-time link to set a new password is valid',
    fallback: '60',
    read: wholeNumber(1, 10_000),
  }),
  metricsAllow: setting({
    env: 'GATEHOUSE_METRICS_ALLOW',
    isCommon: true,
    description:
      'Networks (CIDR, comma-separated) that may read /metrics; 0.0.0.0/0,::/0 allows all. Default: this machine',
    fallback: '127.0.0.0/8,::1/128',
    read: networks,
  }),
  metricsToken: setting({
    env: 'GATEHOUSE_METRICS_TOKEN',
    description: 'Bearer token for reading /metrics from any network',
    isSecret: true,
    read: password,
  }),
  tracesEndpoint: setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'Base URL of an OpenTelemetry collector (OTLP over HTTP) that receives traces. Default: no traces',
    read: urlOf('http:', 'https:'),
  }),
  shutdownSeconds: setting({
    env: 'GATEHOUSE_SHUTDOWN_SECONDS',
    description: 'Seconds for which a stopping server waits for running requests and jobs',
    fallback: '30',
    read: wholeNumber(1, 3600),
  }),
  advisoriesUrl: setting({
    env: 'GATEHOUSE_ADVISORIES_URL',
    isCommon: true,
    description: 'Source of advisories in the layout of the public OSV export: a URL or a folder',
    fallback: 'https://osv-vulnerabilities.storage.googleapis.com',
    read: urlOrPath,
  }),
  advisoriesSyncMinutes: setting({
    env: 'GATEHOUSE_ADVISORIES_SYNC_MINUTES',
    isCommon: true,
    description: 'Minutes between automatic advisory syncs; 0 disables them in favor of "gatehouse advisories sync"',
    fallback: '0',
    read: wholeNumber(0, 100_000),
  }),
  advisoriesPollSeconds: setting({
    env: 'GATEHOUSE_ADVISORIES_POLL_SECONDS',
    description:
      'Seconds between checks for a newer snapshot in the database; PostgreSQL also notifies running servers at once',
    fallback: '1',
    read: wholeNumber(1, 3600),
  }),
  knownExploited: setting({
    env: 'GATEHOUSE_KNOWN_EXPLOITED',
    description:
      'List of known exploited vulnerabilities in the JSON layout of CISA’s catalog, read with each advisory sync: a URL or a file',
    read: urlOrPath,
  }),
  testWorkers: setting({
    env: 'GATEHOUSE_TEST_WORKERS',
    description: 'Number of test threads; 0 means one per core',
    fallback: '0',
    read: wholeNumber(0, 256),
  }),
  testSeconds: setting({
    env: 'GATEHOUSE_TEST_SECONDS',
    description: 'Seconds of processor time per test',
    fallback: '60',
    read: wholeNumber(1, 3600),
  }),
  testWaitSeconds: setting({
    env: 'GATEHOUSE_TEST_WAIT_SECONDS',
    description: 'Seconds for which a test waits for a thread, and again for package registries',
    fallback: '60',
    read: wholeNumber(1, 3600),
  }),
  testQueue: setting({
    env: 'GATEHOUSE_TEST_QUEUE',
    description: 'Tests that may wait per organization, and four times as many in total; further tests get 503',
    fallback: '250',
    read: wholeNumber(1, 100_000),
  }),
  testMemoryMb: setting({
    env: 'GATEHOUSE_TEST_MEMORY_MB',
    description: 'Memory in MB per test thread',
    fallback: '1024',
    read: wholeNumber(64, 65_536),
  }),
  searchSeconds: setting({
    env: 'GATEHOUSE_SEARCH_SECONDS',
    description:
      'Seconds per test for verifying upgrades and fetching licenses (at most a third of GATEHOUSE_TEST_SECONDS); 0 disables both',
    fallback: '10',
    read: wholeNumber(0, 3600),
  }),
  backgroundPercent: setting({
    env: 'GATEHOUSE_BACKGROUND_PERCENT',
    description: 'Percentage of test threads for background tests (imports, retests); always at least one thread',
    fallback: '50',
    read: wholeNumber(1, 100),
  }),
  npmRegistry: setting({
    env: 'GATEHOUSE_NPM_REGISTRY',
    isCommon: true,
    description: 'Base URL of the npm registry or a mirror. Default: the public one',
    read: address,
  }),
  npmToken: setting({
    env: 'GATEHOUSE_NPM_TOKEN',
    description: 'Bearer token for that registry',
    isSecret: true,
    read: text,
  }),
  registryCacheMb: setting({
    env: 'GATEHOUSE_REGISTRY_CACHE_MB',
    description: 'Size in MB of the cache of registry responses',
    fallback: '512',
    read: wholeNumber(1, 1_000_000),
  }),
  rubygemsUrl: setting({
    env: 'GATEHOUSE_RUBYGEMS_URL',
    isCommon: true,
    description: 'Base URL of a gem server with a compact index, or a mirror. Default: the public one',
    read: address,
  }),
  pypiUrl: setting({
    env: 'GATEHOUSE_PYPI_URL',
    isCommon: true,
    description:
      'Base URL of the Python package index or a mirror, with or without a final /simple (user:password@ before the host is sent as Basic authorization). Default: the public one',
    isSecret: true,
    read: (value) => urlOf('http:', 'https:')(value).replace(/\/+$/, ''),
  }),
  pypiIndexes: setting({
    env: 'GATEHOUSE_PYPI_INDEXES',
    description:
      'Further Python package indexes that requirements files may use, comma-separated (user:password@ as above); others are not queried',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  }),
  pythonVersion: setting({
    env: 'GATEHOUSE_PYTHON_VERSION',
    description:
      'Python version if neither a request nor a file beside the requirements names one, for example 3.13 or 3.13.1. Default: 3.13, or the version to which most requirements of a file apply',
    read: (value) => {
      if (/^[23]\.\d{1,2}(\.\d{1,3})?$/.test(value)) return value
      throw new Error('must be a version of Python, for example 3.13')
    },
  }),
  pythonPlatform: setting({
    env: 'GATEHOUSE_PYTHON_PLATFORM',
    description: 'Platform for Python packages if a request names none: linux, macos or windows',
    fallback: 'linux',
    read: oneOf('linux', 'macos', 'windows'),
  }),
  mavenRepositories: setting({
    env: 'GATEHOUSE_MAVEN_REPOSITORIES',
    isCommon: true,
    description:
      'Base URLs of Maven repositories in order, comma-separated (user:password@ before the host is sent as Basic authorization); they replace all repositories named in build files. Default: those, then the public one',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  }),
  goProxy: setting({
    env: 'GATEHOUSE_GO_PROXY',
    isCommon: true,
    description:
      'Base URL of a Go module proxy (user:password@ as above), or the output of `go env GOPROXY`, whose first URL is used. Default: none; then only a go.mod of Go 1.17 or newer, or one with a go.sum, is resolved',
    isSecret: true,
    read: (value) => urlOf('http:', 'https:')(value.split(/[,|]/)[0]!.trim()).replace(/\/+$/, ''),
  }),
  registryMaxAgeMinutes: setting({
    env: 'GATEHOUSE_REGISTRY_MAX_AGE_MINUTES',
    description: 'Minutes for which a cached registry response is used without revalidation',
    fallback: '60',
    read: wholeNumber(0, 100_000),
  }),
  expiryNoticeDays: setting({
    env: 'GATEHOUSE_EXPIRY_NOTICE_DAYS',
    description: 'Days before expiry at which credential.expiring is sent to webhooks',
    fallback: '7',
    read: wholeNumber(1, 365),
  }),
  webhookLogDays: setting({
    env: 'GATEHOUSE_WEBHOOK_LOG_DAYS',
    description: 'Days for which the log of webhook deliveries is kept',
    fallback: '30',
    read: wholeNumber(2, 3650),
  }),
  jobLeaseSeconds: setting({
    env: 'GATEHOUSE_JOB_LEASE_SECONDS',
    description:
      'Seconds after which the background work of a dead process is resumed by another process that shares the database',
    fallback: '20',
    read: wholeNumber(1, 3600),
  }),
  importsPerProcess: setting({
    env: 'GATEHOUSE_IMPORTS_PER_PROCESS',
    description: 'Concurrent imports per process; it also helps with half as many imports of other processes',
    fallback: '4',
    read: wholeNumber(1, 64),
  }),
  importsPerOrg: setting({
    env: 'GATEHOUSE_IMPORTS_PER_ORG',
    description: 'Concurrent imports per organization over all processes',
    fallback: '3',
    read: wholeNumber(1, 1000),
  }),
  importManifests: setting({
    env: 'GATEHOUSE_IMPORT_MANIFESTS',
    description: 'Maximum number of manifests per import; the rest, in path order, are skipped and listed',
    fallback: '5000',
    read: wholeNumber(1, 100_000),
  }),
  git: setting({
    env: 'GATEHOUSE_GIT',
    description: 'Name or path of the git program (2.38 or newer)',
    fallback: 'git',
    read: text,
  }),
  localRepositories: setting({
    env: 'GATEHOUSE_LOCAL_REPOSITORIES',
    isCommon: true,
    description:
      'Folders on this machine, comma-separated, whose repositories every organization may import. Default: none',
    fallback: '',
    read: (value) => list(value),
  }),
  archiveMb: setting({
    env: 'GATEHOUSE_ARCHIVE_MB',
    description: 'Maximum size in MB of an uploaded archive',
    fallback: '256',
    read: wholeNumber(1, 100_000),
  }),
  archivesMb: setting({
    env: 'GATEHOUSE_ARCHIVES_MB',
    description: 'Maximum total size in MB of an organization’s uploaded archives',
    fallback: '4096',
    read: wholeNumber(1, 10_000_000),
  }),
  objectStore: setting({
    env: 'GATEHOUSE_OBJECT_STORE',
    description:
      'S3-compatible store for uploaded archives, https://HOST/BUCKET or https://HOST/BUCKET/PREFIX; all processes of one installation share it, other installations need another. Default: the database',
    read: objectLocation,
  }),
  archiveStorage: setting({
    env: 'GATEHOUSE_ARCHIVE_STORAGE',
    description:
      'Storage of new archives if GATEHOUSE_OBJECT_STORE is set: bucket or database; existing archives stay where they are',
    fallback: 'bucket',
    read: oneOf('bucket', 'database'),
  }),
  objectKeepDays: setting({
    env: 'GATEHOUSE_OBJECT_KEEP_DAYS',
    description:
      'Days for which the objects of deleted archives stay in the object store; backups up to that age can be restored with their archives',
    fallback: '7',
    read: wholeNumber(0, 3650),
  }),
  awsAccessKeyId: setting({
    env: 'AWS_ACCESS_KEY_ID',
    description: 'Access key for GATEHOUSE_OBJECT_STORE',
    isSecret: true,
    read: keyText,
  }),
  awsSecretAccessKey: setting({
    env: 'AWS_SECRET_ACCESS_KEY',
    description: 'Secret of that access key',
    isSecret: true,
    read: keyText,
  }),
  awsSessionToken: setting({
    env: 'AWS_SESSION_TOKEN',
    description: 'Session token of that access key, if it is a temporary one',
    isSecret: true,
    read: keyText,
  }),
  awsRegion: setting({
    env: 'AWS_REGION',
    description: 'Region of GATEHOUSE_OBJECT_STORE',
    fallback: 'us-east-1',
    read: keyText,
  }),
  importDiskMb: setting({
    env: 'GATEHOUSE_IMPORT_DISK_MB',
    description: 'Disk space in MB per import for reading a repository; also the maximum unpacked size of an archive',
    fallback: '1024',
    read: wholeNumber(1, 1_000_000),
  }),
  importFiles: setting({
    env: 'GATEHOUSE_IMPORT_FILES',
    description: 'Maximum number of files in a repository',
    fallback: '2000000',
    read: wholeNumber(1, 100_000_000),
  }),
  importSeconds: setting({
    env: 'GATEHOUSE_IMPORT_SECONDS',
    description: 'Seconds per step of reading a repository: finding, fetching, listing',
    fallback: '300',
    read: wholeNumber(1, 86_400),
  }),
  importMemoryMb: setting({
    env: 'GATEHOUSE_IMPORT_MEMORY_MB',
    description: 'Memory in MB for git per import',
    fallback: '512',
    read: wholeNumber(64, 100_000),
  }),
  gitMemoryMb: setting({
    env: 'GATEHOUSE_GIT_MEMORY_MB',
    description:
      'Memory in MB for all git processes of one server process; above it, the server stops the largest and retries its import',
    fallback: '1024',
    read: wholeNumber(64, 1_000_000),
  }),
  gitDiskMb: setting({
    env: 'GATEHOUSE_GIT_DISK_MB',
    description:
      'Disk space in MB for all repositories that one server process reads concurrently; the oldest import may always use GATEHOUSE_IMPORT_DISK_MB, the others share the rest and wait for free space',
    fallback: '3072',
    read: wholeNumber(1, 10_000_000),
  }),
  gitReceivedMb: setting({
    env: 'GATEHOUSE_GIT_RECEIVED_MB',
    description:
      'Data in MB that git may receive for all repositories that one server process reads concurrently; the oldest import may always use GATEHOUSE_IMPORT_RECEIVED_MB, the others share the rest and wait',
    fallback: '6144',
    read: wholeNumber(1, 10_000_000),
  }),
  importReceivedMb: setting({
    env: 'GATEHOUSE_IMPORT_RECEIVED_MB',
    description: 'Data in MB that git may receive per import',
    fallback: '2048',
    read: wholeNumber(1, 1_000_000),
  }),
  importIdleSeconds: setting({
    env: 'GATEHOUSE_IMPORT_IDLE_SECONDS',
    description: 'Seconds for which a repository server may send progress without content',
    fallback: '120',
    read: wholeNumber(1, 86_400),
  }),
  importMinutes: setting({
    env: 'GATEHOUSE_IMPORT_MINUTES',
    description: 'Minutes per import; manifests not tested by then fail',
    fallback: '60',
    read: wholeNumber(1, 10_000),
  }),
  importCheckSeconds: setting({
    env: 'GATEHOUSE_IMPORT_CHECK_SECONDS',
    description:
      'Seconds for which an import request waits for the check that the repository exists; 0 leaves the check to the import',
    fallback: '5',
    read: wholeNumber(0, 60),
  }),
  importKeepDays: setting({
    env: 'GATEHOUSE_IMPORT_KEEP_DAYS',
    description: 'Days for which finished imports can be read; their projects are kept',
    fallback: '90',
    read: wholeNumber(1, 3650),
  }),
  importStreams: setting({
    env: 'GATEHOUSE_IMPORT_STREAMS',
    description:
      'Clients per process that can follow the progress of imports at once; at most half of them per organization',
    fallback: '100',
    read: wholeNumber(1, 10_000),
  }),
  outgoingAllow: setting({
    env: 'GATEHOUSE_OUTGOING_ALLOW',
    isCommon: true,
    description: 'Private networks (CIDR) and host names that outgoing requests may reach, comma-separated',
    fallback: '',
    read: hosts,
  }),
  outgoingProxy: setting({
    env: 'GATEHOUSE_OUTGOING_PROXY',
    isCommon: true,
    description: 'HTTP proxy for outgoing requests',
    isSecret: true,
    read: urlOf('http:', 'https:'),
  }),
  outgoingNoProxy: setting({
    env: 'GATEHOUSE_OUTGOING_NO_PROXY',
    description: 'Hosts reached without that proxy, comma-separated; * for all',
    fallback: '',
    read: directHosts,
  }),
} as const
