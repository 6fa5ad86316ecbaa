import { Button, Code, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { findOwnApp, listOwnInstalls } from '../../api/own-apps.ts'
import { nameOf } from '../../api/places.ts'
import type { OwnApp, OwnInstall } from '../../api/resources.ts'
import { End } from '../../components/deletion.tsx'
import { Listing } from '../../components/listing.tsx'
import { ReadingAlert, RefusalAlert } from '../../components/refusal-alert.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { useList } from '../../hooks/list.ts'
import { usePlaces } from '../../hooks/place.ts'
import { paths } from '../../navigation/paths.ts'
import { useParams } from '../../router/react.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { actsAs } from '../place/apps/contexts.ts'

export function OwnAppPage() {
  const { appId = '' } = useParams()
  const reading = useQuery({ queryKey: ['own-app', appId], queryFn: async () => (await findOwnApp(appId)) ?? null })
  return (
    <ResourcePage kind="App" reading={reading}>
      {(app) => (app === null ? <NoAccess /> : <Shown app={app} />)}
    </ResourcePage>
  )
}

function NoAccess() {
  return (
    <Page title="App">
      <Empty title="This app has no access">Access was revoked or never granted.</Empty>
    </Page>
  )
}

function Shown({ app }: { app: OwnApp }) {
  const { name, context, scopes, client_id } = app.attributes
  return (
    <Page title={name}>
      <Section title="Permissions">
        <Facts
          of={[
            ['Acts as', actsAs(context, 'You')],
            ['Scopes', scopes.join(', ')],
            ['Client id', <Code key="client">{client_id}</Code>],
          ]}
        />
        <Text>Its permissions are limited to your current ones.</Text>
      </Section>
      <Installs app={app} />
      <Sessions app={app} />
      <End
        heading="End"
        words="All its sessions are revoked, in every place."
        action="Revoke all access"
        title={`Revoke access of ${name}?`}
        verb="Revoke access"
        failure="Not revoked"
        listKeys={[['own-apps'], ['own-app', app.id]]}
        backTo={paths.ownApps}
        remove={() => call('deleteSelfApp', { params: { app_id: app.id } })}
      >
        The app loses access at once, everywhere. To authorize it again, start in the app.
      </End>
    </Page>
  )
}

function Installs({ app }: { app: OwnApp }) {
  const queries = useQueryClient()
  const reading = useQuery({ queryKey: ['own-installs', app.id], queryFn: () => listOwnInstalls(app.id) })
  const ending = useMutation({
    mutationFn: (install_id: string) => call('deleteSelfAppInstall', { params: { install_id } }),
    onSettled: () => {
      for (const key of ['own-installs', 'own-sessions', 'own-app']) {
        void queries.invalidateQueries({ queryKey: [key, app.id] })
      }
    },
  })
  return (
    <Section title="Where">
      <ReadingAlert title="Could not load the places" reading={reading} />
      {ending.error && <RefusalAlert title="Not saved" error={ending.error} />}
      <DataTable
        label="Places"
        rows={reading.data}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Place', cell: (install) => <PlaceName of={install} /> },
          { name: 'Since', cell: ({ attributes }) => <RelativeTime time={attributes.installed_at} /> },
          {
            name: 'Action',
            cell: (install) => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={ending.isPending}
                aria-label={`Revoke access since ${install.attributes.installed_at}`}
                onClick={() => ending.mutate(install.id)}
              >
                Revoke access
              </Button>
            ),
          },
        ]}
      />
      <Text>Revoking the last place also ends all sessions.</Text>
    </Section>
  )
}

function PlaceName({ of: { relationships } }: { of: OwnInstall }) {
  const places = usePlaces()
  const { org, group } = relationships
  const place = org
    ? ({ kind: 'orgs', id: org.data.id } as const)
    : ({ kind: 'groups', id: group?.data.id ?? '' } as const)
  const name = places.data && nameOf(places.data, place)
  const shown = name ?? <Code>{place.id}</Code>
  return org ? shown : <>Whole group {shown}</>
}

function Sessions({ app }: { app: OwnApp }) {
  const queries = useQueryClient()
  const list = useList(['own-sessions', app.id], (query) =>
    call('listSelfAppSessions', { params: { app_id: app.id }, query }),
  )
  const ending = useMutation({
    mutationFn: (id: string) => call('deleteSelfAppSession', { params: { app_id: app.id, session_id: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own-sessions', app.id] }),
  })
  return (
    <Section title="Sessions">
      <Text>One per authorization. Ending a session revokes its tokens.</Text>
      {ending.error && <RefusalAlert title="Not revoked" error={ending.error} />}
      <Listing
        things="sessions"
        list={list}
        columns={[
          { name: 'Created', cell: ({ attributes }) => <RelativeTime time={attributes.created_at} /> },
          { name: 'Id', cell: ({ id }) => <Code>{id}</Code> },
          {
            name: 'Action',
            cell: ({ id }) => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={ending.isPending}
                aria-label={`End session ${id}`}
                onClick={() => ending.mutate(id)}
              >
                End
              </Button>
            ),
          },
        ]}
        empty={<Text>No sessions. The app must ask for access again.</Text>}
      />
    </Section>
  )
}
