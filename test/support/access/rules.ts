import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '../servers/app.ts'
import { onEveryEngine } from '../servers/engines.ts'
import { inOrg, install } from './apps.ts'
import { addClient, type Client, publicApp } from './oauth.ts'

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

/** The context in which a rule is tested. */
export interface RuleContext {
  readonly app: TestApp
  /** An app with a secret. */
  readonly client: Client
  /** An app without one. */
  readonly native: Client
  /** An unattended app, installed. */
  readonly installed: { readonly id: string; readonly clientId: string; readonly secret: string }
  readonly baseUrl: string
}

/** A sentence of a specification, in our words, and what shows that it is kept. */
export type Rule = readonly [
  section: string,
  level: Level,
  says: string,
  holds: (context: RuleContext) => Promise<void>,
]

/** Each rule is a test of the name `§section LEVEL: sentence`; docs/security.md lists them all. */
export function holdRules(
  specification: string,
  rules: readonly Rule[],
  environment: Record<string, string> = {},
): void {
  onEveryEngine(specification, (engine) => {
    let context: RuleContext
    before(async () => {
      const app = await startApp(engine, environment)
      context = {
        app,
        client: await addClient(app, {
          redirect_uris: ['https://app.example/callback?kept=1'],
          scopes: ['org.read', 'org.project.read'],
        }),
        native: await addClient(app, publicApp),
        installed: await install(app, inOrg.path(app)),
        baseUrl: app.parts.services.baseUrl,
      }
    })
    after(() => context.app.close())
    for (const [section, level, says, holds] of rules) test(`${section} ${level}: ${says}`, () => holds(context))
  })
}
