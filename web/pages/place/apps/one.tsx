import { Code, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import { describePermission } from '../../../api/permissions.ts'
import type { App } from '../../../api/resources.ts'
import { secretsOfApp } from '../../../api/secrets.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TokenLifetime } from '../../../ui/lifetimes.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import { ClientSecrets } from '../secrets/client-secrets.tsx'
import { actsAs } from './contexts.ts'
import { linesOf } from './lines.ts'
import { AppUsage } from './usage.tsx'

export function AppPage() {
  const { id: orgId } = usePlace()
  const { appId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['app', orgId, appId],
    queryFn: () => callData('getApp', { params: { org_id: orgId, app_id: appId } }),
  })
  return (
    <ResourcePage kind="App" reading={reading}>
      {(app) => (
        <Page title={app.attributes.name}>
          <About app={app} />
          <AppUsage app={app} />
          <Change key={JSON.stringify(app.attributes)} orgId={orgId} app={app} />
          {app.attributes.client_id !== undefined && app.attributes.is_confidential && (
            <ClientSecrets owner={secretsOfApp(orgId, app.id)} />
          )}
          <Deletion
            name={app.attributes.name}
            kind="app"
            words="All its installs, sessions, secrets and tokens are revoked."
            listKeys={[['apps', orgId]]}
            backTo={paths.apps(orgId)}
            remove={() => call('deleteApp', { params: { org_id: orgId, app_id: app.id } })}
          >
            The app loses access at once for all users and in all installs. This cannot be undone.
          </Deletion>
        </Page>
      )}
    </ResourcePage>
  )
}

function About({ app: { id, attributes } }: { app: App }) {
  const isUnattended = attributes.grant_type === 'client_credentials'
  return (
    <Section title="About">
      <Facts
        of={[
          ['Id', <Code key="id">{id}</Code>],
          ['Client id', attributes.client_id && <Code key="client">{attributes.client_id}</Code>],
          ['Access', isUnattended ? 'Installed, unattended' : 'Authorized by users'],
          ['Acts as', isUnattended ? 'Itself' : actsAs(attributes.context, 'User')],
          ['Client secret', isUnattended ? undefined : attributes.is_confidential ? 'Yes' : 'No: PKCE instead'],
          ['Usable', attributes.is_public ? 'In every group' : 'In its own group'],
          ['Scopes', <Scopes key="scopes" names={attributes.scopes} />],
        ]}
      />
    </Section>
  )
}

function Scopes({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <div key={name}>
      {describePermission(name)} <Code>{name}</Code>
    </div>
  ))
}

interface Props {
  readonly orgId: string
  readonly app: App
}

function Change({ orgId, app }: Props) {
  const { attributes } = app
  const [name, setName] = useState(attributes.name)
  const [redirectUris, setRedirectUris] = useState(attributes.redirect_uris?.join('\n'))
  const [ttlSeconds, setTtlSeconds] = useState(attributes.access_token_ttl_seconds)
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: () =>
      callData('updateApp', {
        params: { org_id: orgId, app_id: app.id },
        body: {
          data: {
            id: app.id,
            type: 'app',
            attributes: {
              name,
              access_token_ttl_seconds: ttlSeconds,
              ...(redirectUris !== undefined && { redirect_uris: linesOf(redirectUris) }),
            },
          },
        },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(['app', orgId, app.id], changed)
      void queries.invalidateQueries({ queryKey: ['apps', orgId] })
    },
  })

  const { error } = changing
  return (
    <Section title="Change">
      <SaveForm action="Save" saving={changing} maw="40rem" onSubmit={() => changing.mutate()}>
        <TextInput label="Name" {...textField(name, setName, faultOf(error, 'name'))} maxLength={255} required />
        {redirectUris !== undefined && (
          <Textarea
            label="Redirect URIs"
            description="One per line"
            {...textField(redirectUris, setRedirectUris, faultOf(error, 'redirect_uris'))}
            autosize
            minRows={2}
            spellCheck={false}
            required
          />
        )}
        <TokenLifetime
          description="Applies to newly issued tokens"
          value={ttlSeconds}
          onChange={setTtlSeconds}
          error={faultOf(error, 'access_token_ttl_seconds')}
        />
      </SaveForm>
    </Section>
  )
}
