import { Text } from '@mantine/core'
import { secretsOfAccount } from '../../../api/secrets.ts'
import type { ServiceAccount } from '../../../api/service-accounts.ts'
import type { Place } from '../../../paths.ts'
import { Section } from '../../../ui/section.tsx'
import { ClientSecrets } from '../secrets/client-secrets.tsx'
import { Credentials } from '../secrets/credentials.tsx'

interface Props {
  readonly place: Place
  readonly account: ServiceAccount
}

/** Only accounts with client secrets have secrets to manage; the others are told what to do instead. */
export function Secrets({ place, account }: Props) {
  const { auth_type } = account.attributes
  if (auth_type === 'oauth_client_secret') return <ClientSecrets owner={secretsOfAccount(place, account.id)} />
  if (auth_type === 'oauth_private_key_jwt') {
    return (
      <Section title="Credential">
        <Text>It has no secret here: its public keys are read from the address above.</Text>
      </Section>
    )
  }
  return (
    <Section title="Credential">
      <Text>
        Its API key was shown when the account was created and cannot be changed. To change keys, create a second
        account, move the program over, then delete this one.
      </Text>
      <Credentials owner={secretsOfAccount(place, account.id)} />
    </Section>
  )
}
