import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { Install } from '../../../api/resources.ts'
import { secretsOfInstall } from '../../../api/secrets.ts'
import { End } from '../../../components/deletion.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { actsAs } from '../apps/contexts.ts'
import { ClientSecrets } from '../secrets/client-secrets.tsx'

export function InstallPage() {
  const place = usePlace()
  const { installId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['install', place.kind, place.id, installId],
    queryFn: () =>
      callData(idIn(place, 'getOrgAppInstall', 'getGroupAppInstall'), {
        params: { ...paramsOf(place), install_id: installId },
      }),
  })
  return (
    <ResourcePage kind="Install" reading={reading}>
      {(install) => (
        <Page title={nameOf(install)}>
          <About install={install} />
          {install.attributes.client_id !== undefined && <ClientSecrets owner={secretsOfInstall(place, install.id)} />}
          <End
            heading="Revoke"
            words="The app loses access here at once."
            action="Revoke install"
            title={`Revoke ${nameOf(install)}?`}
            verb="Revoke"
            failure="Not revoked"
            listKeys={[['installs', place.kind, place.id]]}
            backTo={paths.installs(place)}
            remove={() =>
              call(idIn(place, 'deleteOrgAppInstall', 'deleteGroupAppInstall'), {
                params: { ...paramsOf(place), install_id: install.id },
              })
            }
          >
            Its secrets and tokens for this place are revoked at once.
          </End>
        </Page>
      )}
    </ResourcePage>
  )
}

function nameOf({ relationships }: Install): string {
  return relationships.app.data.attributes.name
}

function About({ install: { id, attributes, relationships } }: { install: Install }) {
  const { id: appId, attributes: app } = relationships.app.data
  const isInstalled = attributes.client_id !== undefined
  return (
    <Section title="About">
      <Facts
        of={[
          ['Id', <Code key="id">{id}</Code>],
          ['App', <Code key="app">{appId}</Code>],
          ['Client id', attributes.client_id && <Code key="client">{attributes.client_id}</Code>],
          ['Access', isInstalled ? 'Installed, unattended' : 'Authorized by a user, whose permissions limit it'],
          ['Acts as', isInstalled ? 'Itself' : actsAs(app.context, 'That person')],
          ['Scopes', app.scopes.join(', ')],
          ['Since', <RelativeTime key="since" time={attributes.installed_at} />],
        ]}
      />
    </Section>
  )
}
