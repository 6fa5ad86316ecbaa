import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type DnsAnswer, startDnsServer } from '#test/servers/dns-server.ts'
import { parseHosts } from './hosts-file.ts'
import { createResolve, type ResolverSettings } from './resolve.ts'
import { listFullNames, parseSearchDomains } from './search-domains.ts'

describe('DNS lookups', () => {
  let dir: string
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-dns-'))
  })
  after(() => rmSync(dir, { recursive: true }))

  function file(name: string, text: string): string {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }

  async function withDns(
    answerFor: (name: string) => DnsAnswer,
    changes: Partial<ResolverSettings>,
    work: (resolve: ReturnType<typeof createResolve>, dns: Awaited<ReturnType<typeof startDnsServer>>) => Promise<void>,
  ) {
    await using dns = await startDnsServer(answerFor)
    const files = { hostsFile: join(dir, 'no-hosts'), resolverFile: join(dir, 'no-resolver') }
    const askSystem = () => Promise.reject(new Error('the system was asked'))
    const rest = { servers: [dns.address], timeoutMs: 60_000, askSystem, ...files }
    try {
      await work(createResolve({ ...rest, ...changes }), dns)
    } finally {
      dns.release()
    }
  }

  test('fifty unanswered lookups do not delay another', async () => {
    const answerFor = (name: string) => (name === 'good.example' ? '192.0.2.7' : 'silence')
    await withDns(answerFor, {}, async (resolve, dns) => {
      let ended = 0
      const silent = Array.from({ length: 50 }, (_, n) =>
        resolve(`n${n}.silent.example`).catch(() => {
          ended++
        }),
      )
      assert.deepEqual(await resolve('good.example'), [{ address: '192.0.2.7', family: 4 }])
      assert.equal(ended, 0)
      while (new Set(dns.asked).size < 51) await new Promise((done) => setTimeout(done, 5))
      dns.release()
      await Promise.all(silent)
    })
  })

  test('concurrent lookups of one name are one query', async () => {
    await withDns(
      () => '192.0.2.7',
      {},
      async (resolve, dns) => {
        await Promise.all(Array.from({ length: 20 }, (_, n) => resolve(n % 2 === 0 ? 'a.example' : 'A.Example')))
        // One query per address family.
        assert.equal(dns.asked.length, 2)
      },
    )
  })

  test('a failed lookup is repeated only after a while', async () => {
    let [at, answer]: [number, DnsAnswer] = [0, 'server-failure']
    await withDns(
      () => answer,
      { now: () => at },
      async (resolve, dns) => {
        await assert.rejects(resolve('a.example'), { code: 'ESERVFAIL' })
        const lookups = dns.asked.length
        answer = '192.0.2.7'
        await assert.rejects(resolve('a.example'), { code: 'ESERVFAIL' })
        assert.equal(dns.asked.length, lookups)
        at += 10_000
        assert.equal((await resolve('a.example')).length, 1)
      },
    )
  })

  test('the hosts file has precedence and is read again when it changes', async () => {
    const hostsFile = file('hosts', '127.0.0.9 Local.Example other # local.example\n::9 local.example\n')
    await withDns(
      () => '192.0.2.7',
      { hostsFile },
      async (resolve, dns) => {
        const expected = [
          { address: '127.0.0.9', family: 4 },
          { address: '::9', family: 6 },
        ]
        assert.deepEqual(await resolve('local.example'), expected)
        assert.equal(dns.asked.length, 0)
        file('hosts', '# nothing is left of what was here before\n')
        assert.deepEqual(await resolve('local.example'), [{ address: '192.0.2.7', family: 4 }])
      },
    )
  })

  test('short names are completed with search domains', async () => {
    const resolverFile = file('resolv.conf', 'search one.example two.example\noptions edns0 ndots:2\n')
    await withDns(
      (name) => (name === 'git.two.example' ? '192.0.2.7' : 'no-such-name'),
      { resolverFile },
      async (resolve) => {
        assert.deepEqual(await resolve('git'), [{ address: '192.0.2.7', family: 4 }])
      },
    )
  })

  test('the system resolver is asked only for names that DNS reports as missing', async () => {
    const names: string[] = []
    const askSystem = async (name: string) => {
      names.push(name)
      return [{ address: '192.0.2.8', family: 4 }]
    }
    const answerFor = (name: string) => (name === 'printer.local' ? 'no-such-name' : 'server-failure')
    await withDns(answerFor, { askSystem }, async (resolve) => {
      assert.deepEqual(await resolve('printer.local'), [{ address: '192.0.2.8', family: 4 }])
      await assert.rejects(resolve('broken.example'), { code: 'ESERVFAIL' })
      assert.deepEqual(names, ['printer.local'])
    })
  })
})

test('lines of a hosts file are parsed', () => {
  const names = parseHosts('127.0.0.1\tlocalhost a\n#127.0.0.2 b\nnonsense c\n\n  10.0.0.1 A  \n')
  assert.deepEqual([...names.keys()], ['localhost', 'a'])
  assert.deepEqual(
    names.get('a')!.map(({ address }) => address),
    ['127.0.0.1', '10.0.0.1'],
  )
})

test('resolv.conf: search domains and ndots complete names', () => {
  assert.deepEqual(parseSearchDomains(''), { domains: [], ndots: 1 })
  assert.deepEqual(parseSearchDomains('domain a.\nsearch b c ; d\noptions ndots:99'), {
    domains: ['b', 'c'],
    ndots: 15,
  })
  const search = { domains: ['d'], ndots: 2 }
  assert.deepEqual(listFullNames('a', search), ['a.d', 'a'])
  assert.deepEqual(listFullNames('a.b.c', search), ['a.b.c', 'a.b.c.d'])
  assert.deepEqual(listFullNames('a.', search), ['a'])
})
