import { setting } from './setting.ts'
import {
  address,
  directHosts,
  email,
  hosts,
  list,
  networks,
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

/** Every setting there is. `--help`, the README's table and the validation come from here. */
export const settings = {
  dataDir: setting({
    env: 'GATEHOUSE_DATA_DIR',
    description: 'Folder for the embedded database, the secret key and cached advisories',
    fallback: './data',
    read: text,
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    description: 'PostgreSQL 15 or newer (postgres://…); without it SQLite in the data folder is used',
    isSecret: true,
    read: urlOf('postgres:', 'postgresql:'),
  }),
  databaseListenUrl: setting({
    env: 'GATEHOUSE_DATABASE_LISTEN_URL',
    description:
      'Address of PostgreSQL for notifications, where DATABASE_URL is that of a pooler in transaction mode; default DATABASE_URL',
    isSecret: true,
    read: urlOf('postgres:', 'postgresql:'),
  }),
  databaseConnections: setting({
    env: 'GATEHOUSE_DATABASE_CONNECTIONS',
    description: 'Connections to PostgreSQL that one process keeps at most',
    fallback: '10',
    read: wholeNumber(1, 500),
  }),
  host: setting({ env: 'GATEHOUSE_HOST', description: 'Address to listen on', fallback: '127.0.0.1', read: text }),
  port: setting({
    env: 'GATEHOUSE_PORT',
    description: 'Port to listen on; 0 takes a free one (with DATABASE_URL only beside GATEHOUSE_BASE_URL)',
    fallback: '7331',
    read: wholeNumber(0, 65_535),
  }),
  baseUrl: setting({
    env: 'GATEHOUSE_BASE_URL',
    description:
      'Public address of the server, as clients reach it, also below a path (https://HOST/gatehouse); default http://HOST:PORT',
    read: publicAddress,
  }),
  trustProxy: setting({
    env: 'GATEHOUSE_TRUST_PROXY',
    description: 'Networks (CIDR, comma separated) of reverse proxies whose X-Forwarded-For is believed',
    fallback: '',
    read: networks,
  }),
  adminEmail: setting({
    env: 'GATEHOUSE_ADMIN_EMAIL',
    description: 'E-mail address of the administrator created on the first start',
    fallback: 'admin@gatehouse.local',
    read: email,
  }),
  adminPassword: setting({
    env: 'GATEHOUSE_ADMIN_PASSWORD',
    description: 'Password of that administrator (12 characters or more); without it one is made and printed once',
    isSecret: true,
    read: password,
  }),
  adminApiKey: setting({
    env: 'GATEHOUSE_ADMIN_API_KEY',
    description: 'API key (a UUID) of that administrator; without it one is made and printed once',
    isSecret: true,
    read: uuid,
  }),
  secretKey: setting({
    env: 'GATEHOUSE_SECRET_KEY',
    description:
      'Key for digests and encryption, 64 hexadecimal digits; without it secret.key in the data folder is used',
    isSecret: true,
    read: secretKey,
  }),
  logLevel: setting({
    env: 'GATEHOUSE_LOG_LEVEL',
    description: 'Least level that is logged: trace, debug, info, warn, error, silent',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
  tokenAlgorithm: setting({
    env: 'GATEHOUSE_TOKEN_ALGORITHM',
    description:
      'How access tokens are signed: ES256, RS256 or EdDSA; a change takes effect a day after it was announced in the key set',
    fallback: 'ES256',
    read: oneOf('ES256', 'RS256', 'EdDSA'),
  }),
  signingKeyDays: setting({
    env: 'GATEHOUSE_SIGNING_KEY_DAYS',
    description: 'How long one key signs access tokens before the next one takes over',
    fallback: '90',
    read: wholeNumber(2, 3650),
  }),
  bodyLimitBytes: setting({
    env: 'GATEHOUSE_BODY_LIMIT_BYTES',
    description:
      'Maximum size of a request body in bytes, after decompression; bodies other than files and dependency graphs are limited to 1 MiB in any case',
    fallback: String(25 * 1024 * 1024),
    read: wholeNumber(1024, 256 * 1024 * 1024),
  }),
  bodiesMb: setting({
    env: 'GATEHOUSE_BODIES_MB',
    description: 'Memory in MB that the bodies of all unfinished requests may hold before further bodies get 503',
    fallback: '256',
    read: wholeNumber(1, 1_000_000),
  }),
  bodiesPerClientMb: setting({
    env: 'GATEHOUSE_BODIES_PER_CLIENT_MB',
    description:
      'Memory in MB that the bodies of unfinished requests of one credential, or from one IP address, may hold before further bodies get 429',
    fallback: '128',
    read: wholeNumber(1, 1_000_000),
  }),
  bodySeconds: setting({
    env: 'GATEHOUSE_BODY_SECONDS',
    description: 'Seconds in which a request body must arrive before the request gets 408',
    fallback: '60',
    read: wholeNumber(1, 100),
  }),
  rateLimitPerMinute: setting({
    env: 'GATEHOUSE_RATE_LIMIT_PER_MINUTE',
    description: 'Requests per minute that one credential may make of one process; 0 turns the limit off',
    fallback: '0',
    read: wholeNumber(0, 1_000_000),
  }),
  failedSecretsPerMinute: setting({
    env: 'GATEHOUSE_FAILED_SECRETS_PER_MINUTE',
    description:
      'API keys and client secrets that do not work which one address may show one process in a minute (of one client a fifth of them) before others from there are no longer checked; 0 turns the limit off',
    fallback: '1000',
    read: wholeNumber(0, 100_000),
  }),
  metricsAllow: setting({
    env: 'GATEHOUSE_METRICS_ALLOW',
    description:
      'Networks (CIDR, comma separated) that may read /metrics; 0.0.0.0/0,::/0 allows everybody. Default: this machine',
    fallback: '127.0.0.0/8,::1/128',
    read: networks,
  }),
  metricsToken: setting({
    env: 'GATEHOUSE_METRICS_TOKEN',
    description: 'Bearer token that may read /metrics from any network',
    isSecret: true,
    read: password,
  }),
  shutdownSeconds: setting({
    env: 'GATEHOUSE_SHUTDOWN_SECONDS',
    description: 'How long a stopping server waits for running requests and jobs',
    fallback: '30',
    read: wholeNumber(1, 3600),
  }),
  advisoriesUrl: setting({
    env: 'GATEHOUSE_ADVISORIES_URL',
    description: 'Where advisories come from, in the layout of the public OSV export: a URL or a folder',
    fallback: 'https://osv-vulnerabilities.storage.googleapis.com',
    read: urlOrPath,
  }),
  advisoriesSyncMinutes: setting({
    env: 'GATEHOUSE_ADVISORIES_SYNC_MINUTES',
    description: 'Minutes between syncs that the server makes by itself; 0 leaves them to "gatehouse advisories sync"',
    fallback: '0',
    read: wholeNumber(0, 100_000),
  }),
  advisoriesPollSeconds: setting({
    env: 'GATEHOUSE_ADVISORIES_POLL_SECONDS',
    description:
      'Seconds between looks for a newer snapshot in the database; PostgreSQL also notifies running servers at once',
    fallback: '1',
    read: wholeNumber(1, 3600),
  }),
  knownExploited: setting({
    env: 'GATEHOUSE_KNOWN_EXPLOITED',
    description:
      'List of known exploited vulnerabilities in the JSON layout of CISA’s catalog, read with each sync of advisories: a URL or a file',
    read: urlOrPath,
  }),
  testWorkers: setting({
    env: 'GATEHOUSE_TEST_WORKERS',
    description: 'Threads that test manifests; 0 means one per core',
    fallback: '0',
    read: wholeNumber(0, 256),
  }),
  testSeconds: setting({
    env: 'GATEHOUSE_TEST_SECONDS',
    description: 'Seconds of processor time that one test may use',
    fallback: '60',
    read: wholeNumber(1, 3600),
  }),
  testWaitSeconds: setting({
    env: 'GATEHOUSE_TEST_WAIT_SECONDS',
    description: 'Seconds that one test may wait for a thread, and as long for package registries',
    fallback: '60',
    read: wholeNumber(1, 3600),
  }),
  testQueue: setting({
    env: 'GATEHOUSE_TEST_QUEUE',
    description:
      'Tests of one organization that may wait for a thread before further ones get 503; four times as many of all',
    fallback: '250',
    read: wholeNumber(1, 100_000),
  }),
  testMemoryMb: setting({
    env: 'GATEHOUSE_TEST_MEMORY_MB',
    description: 'Memory that one test thread may take',
    fallback: '1024',
    read: wholeNumber(64, 65_536),
  }),
  searchSeconds: setting({
    env: 'GATEHOUSE_SEARCH_SECONDS',
    description:
      'What one test may take, a third of its time at most, to prove upgrades and to ask for licences; 0 leaves it at what the files tell',
    fallback: '10',
    read: wholeNumber(0, 3600),
  }),
  backgroundPercent: setting({
    env: 'GATEHOUSE_BACKGROUND_PERCENT',
    description:
      'Of those threads, how many percent may test projects in the background at once (imports, repeated tests); one in any case',
    fallback: '50',
    read: wholeNumber(1, 100),
  }),
  npmRegistry: setting({
    env: 'GATEHOUSE_NPM_REGISTRY',
    description: 'Base URL of the npm registry or of a mirror; default: the public one',
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
    description: 'Size of the cache of registry answers',
    fallback: '512',
    read: wholeNumber(1, 1_000_000),
  }),
  rubygemsUrl: setting({
    env: 'GATEHOUSE_RUBYGEMS_URL',
    description: 'Base URL of a gem server with a compact index, or of a mirror; default: the public one',
    read: address,
  }),
  pypiUrl: setting({
    env: 'GATEHOUSE_PYPI_URL',
    description:
      'Base URL of the Python package index or of a mirror, with /simple at its end or without (user:password@ before the host is sent as Basic authorization); default: the public one',
    isSecret: true,
    read: (value) => urlOf('http:', 'https:')(value).replace(/\/+$/, ''),
  }),
  pypiIndexes: setting({
    env: 'GATEHOUSE_PYPI_INDEXES',
    description:
      'Further Python package indexes that requirement files may name, comma separated (user:password@ as above); others are not asked',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  }),
  pythonVersion: setting({
    env: 'GATEHOUSE_PYTHON_VERSION',
    description:
      'Python that packages are chosen for when neither a request nor a file beside the requirements names one, for example 3.13 or 3.13.1; default: 3.13, or the Python that most requirements of a file are for',
    read: (value) => {
      if (/^[23]\.\d{1,2}(\.\d{1,3})?$/.test(value)) return value
      throw new Error('must be a version of Python, for example 3.13')
    },
  }),
  pythonPlatform: setting({
    env: 'GATEHOUSE_PYTHON_PLATFORM',
    description: 'System that Python packages are chosen for when a request names none: linux, macos or windows',
    fallback: 'linux',
    read: oneOf('linux', 'macos', 'windows'),
  }),
  mavenRepositories: setting({
    env: 'GATEHOUSE_MAVEN_REPOSITORIES',
    description:
      'Base URLs of Maven repositories, comma separated, asked in order (user:password@ before the host is sent as Basic authorization); they stand for every repository that a build file names. Default: the public one, after those',
    isSecret: true,
    read: (value) => list(value).map((url) => urlOf('http:', 'https:')(url).replace(/\/+$/, '')),
  }),
  registryMaxAgeMinutes: setting({
    env: 'GATEHOUSE_REGISTRY_MAX_AGE_MINUTES',
    description: 'How long a cached registry answer is used without asking again',
    fallback: '60',
    read: wholeNumber(0, 100_000),
  }),
  expiryNoticeDays: setting({
    env: 'GATEHOUSE_EXPIRY_NOTICE_DAYS',
    description: 'How many days before a credential of a program ends by itself webhooks are told of it',
    fallback: '7',
    read: wholeNumber(1, 365),
  }),
  webhookLogDays: setting({
    env: 'GATEHOUSE_WEBHOOK_LOG_DAYS',
    description: 'How many days the log of webhook deliveries is kept',
    fallback: '30',
    read: wholeNumber(2, 3650),
  }),
  jobLeaseSeconds: setting({
    env: 'GATEHOUSE_JOB_LEASE_SECONDS',
    description: 'How long background work of a process that died waits for another process that shares the database',
    fallback: '20',
    read: wholeNumber(1, 3600),
  }),
  importsPerProcess: setting({
    env: 'GATEHOUSE_IMPORTS_PER_PROCESS',
    description: 'Imports that one process works on at once',
    fallback: '4',
    read: wholeNumber(1, 64),
  }),
  importsPerOrg: setting({
    env: 'GATEHOUSE_IMPORTS_PER_ORG',
    description: 'Imports of one organisation that all processes together work on at once',
    fallback: '3',
    read: wholeNumber(1, 1000),
  }),
  importManifests: setting({
    env: 'GATEHOUSE_IMPORT_MANIFESTS',
    description: 'Manifests that one import tests at most; of more, the first by their paths',
    fallback: '5000',
    read: wholeNumber(1, 100_000),
  }),
  git: setting({
    env: 'GATEHOUSE_GIT',
    description: 'The git program (2.38 or newer) that reads repositories: a name, or a path',
    fallback: 'git',
    read: text,
  }),
  localRepositories: setting({
    env: 'GATEHOUSE_LOCAL_REPOSITORIES',
    description:
      'Folders of this machine, comma separated, whose repositories every organisation may import; without it none are read',
    fallback: '',
    read: (value) => list(value),
  }),
  archiveMb: setting({
    env: 'GATEHOUSE_ARCHIVE_MB',
    description: 'Largest archive that may be sent to be imported',
    fallback: '256',
    read: wholeNumber(1, 100_000),
  }),
  archivesMb: setting({
    env: 'GATEHOUSE_ARCHIVES_MB',
    description: 'What the archives that one organisation sent may take together; they are kept in the database',
    fallback: '4096',
    read: wholeNumber(1, 10_000_000),
  }),
  importDiskMb: setting({
    env: 'GATEHOUSE_IMPORT_DISK_MB',
    description: 'What one import may keep on disk while it reads a repository, and what an archive may unpack to',
    fallback: '1024',
    read: wholeNumber(1, 1_000_000),
  }),
  importFiles: setting({
    env: 'GATEHOUSE_IMPORT_FILES',
    description: 'Files that a repository may have',
    fallback: '2000000',
    read: wholeNumber(1, 100_000_000),
  }),
  importSeconds: setting({
    env: 'GATEHOUSE_IMPORT_SECONDS',
    description: 'Longest time that one step of reading a repository may take: to find it, to fetch, to list it',
    fallback: '300',
    read: wholeNumber(1, 86_400),
  }),
  importMemoryMb: setting({
    env: 'GATEHOUSE_IMPORT_MEMORY_MB',
    description: 'Memory in MB for git while it reads the repository of one import',
    fallback: '512',
    read: wholeNumber(64, 100_000),
  }),
  gitMemoryMb: setting({
    env: 'GATEHOUSE_GIT_MEMORY_MB',
    description:
      'Memory in MB for all git processes of one server process together; beyond it the largest is ended and its import tried again',
    fallback: '1024',
    read: wholeNumber(64, 1_000_000),
  }),
  importReceivedMb: setting({
    env: 'GATEHOUSE_IMPORT_RECEIVED_MB',
    description: 'Data in MB that git may receive from the server of one repository during one import',
    fallback: '2048',
    read: wholeNumber(1, 1_000_000),
  }),
  importIdleSeconds: setting({
    env: 'GATEHOUSE_IMPORT_IDLE_SECONDS',
    description: 'Seconds for which the server of a repository may send progress and no content',
    fallback: '120',
    read: wholeNumber(1, 86_400),
  }),
  importMinutes: setting({
    env: 'GATEHOUSE_IMPORT_MINUTES',
    description: 'Longest time that one import may take; what is not tested by then has failed',
    fallback: '60',
    read: wholeNumber(1, 10_000),
  }),
  importCheckSeconds: setting({
    env: 'GATEHOUSE_IMPORT_CHECK_SECONDS',
    description:
      'How long a request for an import waits to be told whether the repository is there; 0 leaves it to the import',
    fallback: '5',
    read: wholeNumber(0, 60),
  }),
  importKeepDays: setting({
    env: 'GATEHOUSE_IMPORT_KEEP_DAYS',
    description: 'How long imports that have ended can be read; their projects stay',
    fallback: '90',
    read: wholeNumber(1, 3650),
  }),
  importStreams: setting({
    env: 'GATEHOUSE_IMPORT_STREAMS',
    description:
      'Clients that one process tells of the progress of imports at once; half of them of one organisation at most',
    fallback: '100',
    read: wholeNumber(1, 10_000),
  }),
  outgoingAllow: setting({
    env: 'GATEHOUSE_OUTGOING_ALLOW',
    description: 'Private networks (CIDR) and host names that outgoing requests may reach, comma separated',
    fallback: '',
    read: hosts,
  }),
  outgoingProxy: setting({
    env: 'GATEHOUSE_OUTGOING_PROXY',
    description: 'HTTP proxy for outgoing requests',
    isSecret: true,
    read: urlOf('http:', 'https:'),
  }),
  outgoingNoProxy: setting({
    env: 'GATEHOUSE_OUTGOING_NO_PROXY',
    description: 'Hosts reached without that proxy, comma separated; * for all',
    fallback: '',
    read: directHosts,
  }),
} as const
