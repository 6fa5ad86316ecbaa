import type { Defect } from './defect.ts'

const bodies = 'test/hostile-bodies.test.ts'

/** Bounds and checks that protect the server and its users from others. */
export const lostBounds: readonly Defect[] = [
  {
    title: 'JSON may be nested without a bound',
    file: 'src/foundation/http/bodies/json-shape.ts',
    text: 'if (this.#depth > this.#limits.maxDepth) {',
    replacement: 'if (this.#depth > 1e9) {',
    tests: ['src/foundation/http/bodies/json-shape.test.ts'],
  },
  {
    title: 'the memory of one client is not bounded',
    file: 'src/foundation/http/bodies/body-memory.ts',
    text: '+ bytes > clientBytes)) throw tooMuch()',
    replacement: '+ bytes > clientBytes * 1e9)) throw tooMuch()',
    tests: [bodies],
  },
  {
    title: 'the tests of one organization go before those of all others',
    file: 'src/scanning/pool/fair-queue.ts',
    text: '.sort((a, b) => a.usedMs - b.usedMs)',
    replacement: '.sort((a, b) => b.usedMs - a.usedMs)',
    tests: ['src/scanning/pool/fair-queue.test.ts'],
  },
  {
    title: 'one organization takes all connections and lookups',
    file: 'src/foundation/outgoing/slots.ts',
    text: "(party === '' || (line.running.get(party) ?? 0) < mostOfParty)",
    replacement: "(party === '' || mostOfParty > 0)",
    tests: ['src/foundation/outgoing/slots.test.ts', 'src/foundation/outgoing/parties.test.ts'],
  },
  {
    title: 'a repository on this machine may lead outside the allowed folders',
    file: 'src/foundation/repositories/confined-files.ts',
    text: 'return (real) => roots.some((root) => isInside(root, real))',
    replacement: 'return (real) => roots.some((root) => isInside(root, real) || real !== root)',
    tests: ['src/foundation/git/local-objects.test.ts'],
  },
  {
    title: 'a lesser caller deletes the API keys of an administrator',
    file: 'src/features/api-keys/routes.ts',
    text: 'await requireMayEndAccess(tx, { id: actor.id, groupId, held }, user.id)',
    replacement: 'void [requireMayEndAccess, groupId, held]',
    tests: ['src/features/members/lesser-callers.test.ts', 'test/privilege-escalation.test.ts'],
  },
  {
    title: 'measurements are public',
    file: 'src/foundation/http/metrics/metrics.ts',
    text: 'const requireReader = metricsAccess(config)',
    replacement: "const requireReader = metricsAccess({ ...config, metricsAllow: ['0.0.0.0/0', '::/0'] })",
    tests: ['src/foundation/http/metrics/metrics-access.test.ts'],
  },
  {
    title: 'URLs of webhooks are stored as they are',
    file: 'src/features/webhooks/webhook-url.ts',
    text: "return `${SEALED}${Buffer.from(keyring.seal(url, contextOf(orgId))).toString('base64')}`",
    replacement: 'return keyring.seal(url, contextOf(orgId)).length > 0 ? url : SEALED',
    tests: ['src/features/webhooks/webhook-url.test.ts', 'test/secrets-stay-secret.test.ts'],
  },
  {
    title: 'a JWKS URL that is refused at use is taken at creation',
    file: 'src/features/service-accounts/parse-attributes.ts',
    text: 'return isHttpsUrl(jwks_url) ? undefined',
    replacement: "return isHttpsUrl(jwks_url) || jwks_url !== '' ? undefined",
    tests: ['src/features/service-accounts/routes.test.ts'],
  },
  {
    title: 'a git server may send without end',
    file: 'src/foundation/git/git-relay.ts',
    text: 'if (receivedBytes > bounds.receivedBytes) close()',
    replacement: 'if (receivedBytes > bounds.receivedBytes * 1e9) close()',
    tests: ['src/foundation/git/git-bounds.test.ts'],
  },
  {
    title: 'gits together may take any memory',
    file: 'src/foundation/git/watch-git.ts',
    text: 'if (all <= bounds.memoryOfAllBytes) return',
    replacement: 'if (all <= bounds.memoryOfAllBytes * 1e9) return',
    tests: ['src/foundation/git/git-bounds.test.ts'],
    names: 'git memory',
  },
  {
    title: 'a git server may send nothing but progress',
    file: 'src/foundation/git/watch-git.ts',
    text: 'bounds.idleSeconds * 1000',
    replacement: 'bounds.idleSeconds * 1e9',
    tests: ['src/foundation/git/git-bounds.test.ts'],
    names: 'at the bound of idleSeconds',
  },
  {
    title: 'names that never answer hold up the lookups of all',
    file: 'src/foundation/outgoing/resolve.ts',
    text: 'return await askDns(name)',
    replacement: "return await systemSlots.run('', {}, () => askDns(name))",
    tests: ['src/foundation/outgoing/resolve.test.ts'],
  },
  {
    title: 'the work of clients that left goes on',
    file: 'src/scanning/pool/waiting-client.ts',
    text: 'signal: clientSignal(reply) }',
    replacement: 'signal: clientSignal(reply) && new AbortController().signal }',
    tests: ['src/features/package-tests/client-leaves.test.ts'],
    names: 'a test of files',
  },
]
