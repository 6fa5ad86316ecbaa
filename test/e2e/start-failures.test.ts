import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { UnsuitableDatabase } from '#foundation/db/storage-faults.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { commandProcess } from '#test/servers/command-process.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freePort } from '#test/servers/free-port.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import {
  createPostgresServer,
  findPostgresBinaries,
  type PostgresServer,
  UNSAFE,
} from '#test/servers/postgres-server.ts'
import { program, programEnvironment } from '#test/servers/program.ts'
import { startServer } from '#test/servers/server-process.ts'

describe('failing starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-failures-'))
  let dataDir: string
  let count = 0
  beforeEach(() => {
    dataDir = join(folder, String(++count))
  })
  after(() => rmSync(folder, { recursive: true }))

  const commands = commandProcess()
  after(() => commands[Symbol.asyncDispose]())

  /** Returns the operator error of a start that is refused before it opens its storage: several take one process. */
  async function earlyRefusal(
    environment: Record<string, string> = {},
  ): Promise<{ code: number | null; said: string }> {
    const { code, output, errors } = await commands.run(['serve'], {
      environment: { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_PORT: '0', ...environment },
    })
    assert.doesNotMatch(errors, /^\s+at /m)
    assert.equal(output, '')
    return { code, said: errors.trim() }
  }

  /** Returns the printed operator error, which has no stack. */
  function refusal(args: string[], environment: Record<string, string> = {}): { status: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program.main, ...args], {
      env: { ...programEnvironment, GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_PORT: '0', ...environment },
      encoding: 'utf8',
      timeout: 300_000,
    })
    assert.doesNotMatch(stderr, /^\s+at /m)
    assert.equal(stdout, '')
    return { status, said: stderr.trim() }
  }

  const databaseFile = () => join(dataDir, 'gatehouse.sqlite')

  test('start on an occupied port fails with a remedy (exit code 69)', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    try {
      const { status, said } = refusal(['serve'], { GATEHOUSE_PORT: String(port) })
      assert.equal(status, 69)
      assert.match(said, new RegExp(`127\\.0\\.0\\.1, port ${port}: another program uses it.*GATEHOUSE_PORT`))
    } finally {
      other.close()
    }
  })

  test('start on port 0 with PostgreSQL but without GATEHOUSE_BASE_URL fails (exit code 78)', async () => {
    const { code, said } = await earlyRefusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    assert.equal(code, 78)
    assert.match(said, /GATEHOUSE_PORT is 0.*GATEHOUSE_BASE_URL/)
  })

  test('start with a role on SQLite, which supports one process, fails (exit code 78)', async () => {
    for (const role of ['serve', 'work']) {
      const { code, said } = await earlyRefusal({ GATEHOUSE_ROLE: role })
      assert.equal(code, 78)
      assert.match(said, new RegExp(`GATEHOUSE_ROLE is "${role}".*SQLite.*DATABASE_URL`))
    }
  })

  test('start with target_session_attrs other than the primary fails without the password (exit code 78)', async () => {
    const { code, said } = await earlyRefusal({
      DATABASE_URL: 'postgres://u:secret@a,b/x?target_session_attrs=standby',
    })
    assert.equal(code, 78)
    assert.match(said, /DATABASE_URL must not have target_session_attrs=standby: only the primary/)
    assert.doesNotMatch(said, /secret/)
  })

  test('start with a replica but without DATABASE_URL fails without the password (exit code 78)', async () => {
    const { code, said } = await earlyRefusal({
      GATEHOUSE_DATABASE_REPLICA_URL: 'postgres://reader:secret@127.0.0.1:9/x',
    })
    assert.equal(code, 78)
    assert.match(said, /GATEHOUSE_DATABASE_REPLICA_URL needs DATABASE_URL/)
    assert.doesNotMatch(said, /secret/)
  })

  test('start on an address of another machine fails (exit code 69)', () => {
    const { status, said } = refusal(['serve'], { GATEHOUSE_HOST: '192.0.2.1' })
    assert.equal(status, 69)
    assert.match(said, /192\.0\.2\.1.*GATEHOUSE_HOST/)
  })

  test('start with a file as data directory fails (exit code 74)', async () => {
    writeFileSync(dataDir, '')
    const { code, said } = await earlyRefusal()
    assert.equal(code, 74)
    assert.match(said, new RegExp(`data directory ${dataDir} cannot be used`))
  })

  test('start with a data directory that cannot be created fails (exit code 74)', async () => {
    const { code, said } = await earlyRefusal({ GATEHOUSE_DATA_DIR: '/proc/1/gatehouse' })
    assert.equal(code, 74)
    assert.match(said, /data directory \/proc\/1\/gatehouse cannot be used.*GATEHOUSE_DATA_DIR/)
  })

  test('start with settings that name missing folders fails and lists them (exit code 78)', () => {
    const { status, said } = refusal(['serve'], {
      GATEHOUSE_LOCAL_REPOSITORIES: `${folder},${dataDir}/none,/dev/null`,
      GATEHOUSE_ADVISORIES_URL: `${dataDir}/osv`,
    })
    assert.equal(status, 78)
    assert.match(said, /3 faults/)
    for (const missing of [
      `LOCAL_REPOSITORIES names ${dataDir}/none,`,
      'LOCAL_REPOSITORIES names /dev/null,',
      `ADVISORIES_URL names ${dataDir}/osv,`,
    ])
      assert.ok(said.includes(`GATEHOUSE_${missing}`), said)
  })

  test('start with a database file of other content fails and leaves it unchanged (exit code 74)', () => {
    mkdirSync(dataDir)
    writeFileSync(databaseFile(), 'Dear diary, '.repeat(1000))
    const { status, said } = refusal(['serve'])
    assert.equal(status, 74)
    assert.match(said, /is damaged.*restore the last backup/)
    assert.match(readFileSync(databaseFile(), 'utf8'), /^Dear diary, /, 'it is left as it was')
  })

  test('start with a malformed secret key file fails (exit code 78)', () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'secret.key'), 'half')
    const { status, said } = refusal(['serve'])
    assert.equal(status, 78)
    assert.match(said, /64 hexadecimal digits\. Restore it from a backup/)
  })

  test('admin create-key with another secret key fails (exit code 78)', async () => {
    await (await startServer({ GATEHOUSE_DATA_DIR: dataDir })).end('SIGTERM')
    const { status, said } = refusal(['admin', 'create-key'], { GATEHOUSE_SECRET_KEY: 'ab'.repeat(32) })
    assert.equal(status, 78)
    assert.match(said, /another secret key/)
  })

  test('the database file is readable for its owner only, also in a folder open to others', () => {
    mkdirSync(dataDir, { mode: 0o755 })
    assert.equal(
      spawnSync(process.execPath, [program.main, 'migrate'], { env: { GATEHOUSE_DATA_DIR: dataDir } }).status,
      0,
    )
    assert.equal(statSync(databaseFile()).mode & 0o077, 0)
  })
})

onEveryEngine('a database of a newer version', (engine) => {
  test('a database of a newer version is refused with the names of its steps', async () => {
    await using database = await freshDatabase(engine)
    const step = { name: '9999-of-the-future', timestamp: '2031-01-01T00:00:00.000Z' }
    const steps = database.db.withTables<{ kysely_migration: typeof step }>()
    await steps.insertInto('kysely_migration').values(step).execute()
    await assert.rejects(migrate(database), (error) => {
      assert.ok(error instanceof UnsuitableDatabase)
      assert.match(error.message, /newer version of Gatehouse \(it has 9999-of-the-future\)/)
      return true
    })
  })
})

const server = process.env['TEST_DATABASE_URL']
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe('unsuitable PostgreSQL databases', { skip: server === undefined && 'needs TEST_DATABASE_URL' }, () => {
  const name = `gatehouse_${crypto.randomUUID().replaceAll('-', '')}`
  const ask = async (statement: string, url = server!) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  before(() => ask(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`))
  after(() => ask(`drop database if exists ${name} with (force)`))

  test('a PostgreSQL database with another encoding is refused with a remedy', async () => {
    const url = new URL(server!)
    url.pathname = `/${name}`
    const database = openDatabase({ url: url.href, dataDir: '', maxConnections: 1, onError: () => {} })
    try {
      await assert.rejects(migrate(database), /encoding SQL_ASCII and needs UTF8: create it with/)
    } finally {
      await database.close()
    }
  })

  test('migrate and doctor as a user without CREATE in the schema: name the permission and the grant', async () => {
    const user = `${name}_user`
    await ask(`create role ${user} login`)
    const database = await createPostgresDatabase()
    const url = Object.assign(new URL(database.url), { username: user })
    const environment = { DATABASE_URL: url.href, GATEHOUSE_DATA_DIR: join(tmpdir(), 'gatehouse-none') }
    const grant = `grant usage, create on schema public to ${user};`
    const reason = `permission denied for schema public: ${user} may not create tables. As the owner of the database run: ${grant}`
    const runs = async (...args: string[]) => runCommand(args, { environment })
    try {
      for (const command of ['migrate', 'serve']) {
        const { code, errors } = await runs(command)
        assert.deepEqual([code, errors.trim()], [78, reason])
      }
      const { code, output } = await runs('doctor', '--offline')
      assert.equal(code, 1)
      assert.ok(output.includes(`ERROR    storage: ${reason}`), output)
      await ask(grant, database.url)
      assert.equal((await runs('migrate')).code, 0)
    } finally {
      await database.drop()
      await ask(`drop role ${user}`)
    }
  })
})

describe('PostgreSQL whose certificate no authority signed', {
  skip: (server === undefined && 'needs TEST_DATABASE_URL') || (!hasOpenssl && 'needs openssl'),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  let postgres: PostgresServer
  before(async () => {
    const subject = ['-subj', '/CN=database.example', '-addext', 'subjectAltName=IP:127.0.0.1']
    const files = ['-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
      stdio: 'ignore',
    })
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-tls-data-'))
    const settings = { ...UNSAFE, ssl: 'on', ssl_cert_file: 'certificate.pem', ssl_key_file: 'key.pem' }
    postgres = createPostgresServer(findPostgresBinaries()!, { folder: data, port: await freePort(), settings })
    const { uid, gid } = statSync(data)
    for (const path of [key, certificate]) {
      const copy = join(data, basename(path))
      copyFileSync(path, copy)
      chmodSync(copy, 0o600)
      if (process.getuid?.() === 0) chownSync(copy, uid, gid)
    }
    postgres.start()
  })
  after(() => {
    postgres.stop('immediate')
    for (const path of [folder, postgres.folder]) rmSync(path, { recursive: true })
  })

  const migrateWith = (query: string) =>
    runCommand(['migrate'], { environment: { DATABASE_URL: postgres.url + query } })

  test('sslmode=require: the certificate is verified, and the refusal says what to do', async () => {
    const { code, errors } = await migrateWith('?sslmode=require')
    assert.equal(code, 69)
    assert.match(
      errors,
      /^The database cannot be reached: self-signed certificate.*sslrootcert=FILE.*sslmode=no-verify/,
    )
    assert.doesNotMatch(errors, /Warning/)
  })

  test('sslrootcert or sslmode=no-verify: as the refusal says, they work', async () => {
    for (const query of [`?sslmode=require&sslrootcert=${encodeURIComponent(certificate)}`, '?sslmode=no-verify']) {
      const { code, errors } = await migrateWith(query)
      assert.deepEqual([code, errors], [0, ''])
    }
  })
})
