import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForbidden, findSpecialKind } from './address-rules.ts'
import { parseHostPattern } from './host-patterns.ts'

test('special addresses are distinguished from public ones at the edges of each range', () => {
  const cases: [kind: string | undefined, ...addresses: string[]][] = [
    ['unspecified', '0.0.0.0', '0.255.255.255', '::'],
    ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
    ['shared carrier (CGNAT)', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255', '::1'],
    ['link-local', '169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::', 'fe80::1', 'febf:ffff::1'],
    ['protocol assignment', '192.0.0.0', '192.0.0.171', '2001:1::1', '2001:20::1', '2001:1ff:ffff::'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff:fff::1'],
    ['special-purpose', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'],
    ['reserved', '240.0.0.0', '255.255.255.255', '100::1', '4000::1', '5f00::1', '::ffff:0:127.0.0.1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '0:0:0:0:0:FFFF:7F00:0001'],
    ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
    ['Teredo', '2001::1', '2001:0:ffff::1'],
    ['6to4', '2002::', '2002:7f00:1::', '2002:ffff:ffff::1'],
    ['unique local', 'fc00::1', 'fd12:3456::1', 'fdff::'],
    ['site-local', 'fec0::1', 'feff::1'],
    ['unreadable', 'fe80::1%eth0', 'registry.example', '', '127.1', '2130706433'],
    [undefined, '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    [undefined, '128.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255'],
    [undefined, '2001:200::1', '2003::1', '2606:4700::1111', '2a00::1', '3ffe::1'],
  ]
  for (const [kind, ...addresses] of cases)
    for (const address of addresses) assert.equal(findSpecialKind(address), kind, address)
})

test('the allow-list allows what it names; ports other than 80 and 443 need it too', () => {
  const cases: [
    why: string,
    host: string,
    port: number,
    address: string | undefined,
    allow: string[],
    reason?: string,
  ][] = [
    ['public', 'registry.example', 443, '8.8.8.8', []],
    ['private', 'registry.example', 443, '10.0.0.1', [], 'address'],
    ['allowed network', 'registry.example', 443, '10.0.0.1', ['10.0.0.0/8']],
    ['allowed network, any port', 'registry.example', 8081, '10.0.0.1', ['10.0.0.0/8']],
    ['another network', 'registry.example', 443, '10.0.0.1', ['192.168.0.0/16'], 'address'],
    ['allowed name', 'registry.example', 4873, '127.0.0.1', ['registry.example']],
    ['allowed name at another port', 'registry.example', 4873, '127.0.0.1', ['registry.example:80'], 'address'],
    ['odd port', 'registry.example', 22, '8.8.8.8', [], 'port'],
    ['odd port, allowed by name', 'registry.example', 22, '8.8.8.8', ['registry.example:22']],
    ['odd port, allowed by address', 'registry.example', 22, '8.8.8.8', ['8.8.8.8:22']],
    ['unknown address, odd port', 'registry.example', 22, undefined, ['8.8.8.8:22'], 'port'],
    ['unknown address', 'registry.example', 80, undefined, []],
    ['mapped, only its IPv4 allowed', 'registry.example', 80, '::ffff:10.0.0.1', ['10.0.0.0/8'], 'address'],
  ]
  for (const [why, host, port, address, allow, reason] of cases)
    assert.equal(findForbidden({ host, port }, address, allow.map(parseHostPattern))?.reason, reason, why)
})
