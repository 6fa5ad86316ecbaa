import { Text } from '@mantine/core'
import type { ServiceAccount } from '../../../api/resources.ts'
import { secretsOfAccount } from '../../../api/secrets.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { Section } from '../../../ui/section.tsx'
import { ClientSecrets } from '../secrets/client-secrets.tsx'
import { Credentials } from '../secrets/credentials.tsx'

interface Props {
  readonly place: ConsoleScope
  readonly account: ServiceAccount
}

/** Manages the secrets of an account with client secrets; explains the alternative for other accounts. */
export function Secrets({ place, account }: Props) {
  const { auth_type } = account.attributes
  if (auth_type === 'oauth_client_secret') return <ClientSecrets owner={secretsOfAccount(place, account.id)} />
  if (auth_type === 'oauth_private_key_jwt') {
    return (
      <Section title="Credential">
        <Text>No secrets: its public keys are read from the URL above.</Text>
      </Section>
    )
  }
  return (
    <Section title="Credential">
      <Text>
        The API key was shown at creation and cannot be changed. To rotate, create a second account, update the program,
        then delete this one.
      </Text>
      <Credentials owner={secretsOfAccount(place, account.id)} />
    </Section>
  )
}
