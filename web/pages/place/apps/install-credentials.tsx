import { Code, Text } from '@mantine/core'
import { callData } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { CreatedInstall } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { basePath } from '../../../navigation/base-path.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { CopyableCode } from '../../../ui/copyable-code.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { toClientCredentialsRequest } from './snippets.ts'

/** Installs an unattended app, by its id, in a place. */
export function useInstalling(place: ConsoleScope, onCreated: (install: CreatedInstall) => void = () => undefined) {
  return useCreation({
    create: (app: string, key) =>
      callData(idIn(place, 'createOrgAppInstall', 'createGroupAppInstall'), {
        params: paramsOf(place),
        body: { data: { type: 'app_install', relationships: { app: { data: { id: app, type: 'app' } } } } },
        idempotencyKey: key,
      }),
    listKey: ['installs', place.kind, place.id],
    onCreated,
  })
}

/** The client of a new install, with its secret. */
export function InstallCredentials({ install }: { install: CreatedInstall }) {
  const { client_id, client_secret } = install.attributes
  return (
    <>
      <Text>
        Client id: <Code>{client_id}</Code>
      </Text>
      <SecretOnce label="Client secret" secret={client_secret} />
      <CopyableCode label="Request an access token">
        {toClientCredentialsRequest(`${location.origin}${basePath}/oauth2/token`, client_id)}
      </CopyableCode>
    </>
  )
}
