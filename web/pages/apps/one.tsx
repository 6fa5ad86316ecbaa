import { Button, Code, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { findOwnApp, listOwnInstalls } from '../../api/own-apps.ts'
import { nameOf } from '../../api/places.ts'
import type { OwnApp, OwnInstall } from '../../api/resources.ts'
import { ReadingAlert, RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePageOfList, usePlaces } from '../../hooks/place.ts'
import { paths } from '../../navigation/paths.ts'
import { useNavigate, useParams } from '../../router/react.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { actsAs } from '../place/apps/contexts.ts'

export function OwnAppPage() {
  const { appId = '' } = useParams()
  const reading = useQuery({ queryKey: ['own-app', appId], queryFn: async () => (await findOwnApp(appId)) ?? null })
  if (reading.isError) {
    return (
      <Page title="App">
        <ReadingAlert title="Could not load the app" reading={reading} />
      </Page>
    )
  }
  if (reading.isPending) {
    return (
      <Page title="App">
        <Skeleton height={180} />
      </Page>
    )
  }
  if (reading.data === null) {
    return (
      <Page title="App">
        <Empty title="This app has no access">Access was revoked or never granted.</Empty>
      </Page>
    )
  }
  const app = reading.data
  return (
    <Page title={app.attributes.name}>
      <Section title="Permissions">
        <Facts
          of={[
            ['Acts as', actsAs(app.attributes.context, 'You')],
            ['Scopes', app.attributes.scopes.join(', ')],
            ['Client id', <Code key="client">{app.attributes.client_id}</Code>],
          ]}
        />
        <Text>Its permissions are limited to your current ones.</Text>
      </Section>
      <Installs app={app} />
      <Sessions app={app} />
      <End app={app} />
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
  const { query, turns } = usePageOfList()
  const reading = useQuery({
    queryKey: ['own-sessions', app.id, query],
    queryFn: () => call('listSelfAppSessions', { params: { app_id: app.id }, query }),
    placeholderData: keepPreviousData,
  })
  const ending = useMutation({
    mutationFn: (id: string) => call('deleteSelfAppSession', { params: { app_id: app.id, session_id: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own-sessions', app.id] }),
  })
  return (
    <Section title="Sessions">
      <Text>One per authorization. Ending a session revokes its tokens.</Text>
      <ReadingAlert title="Could not load the sessions" reading={reading} />
      {ending.error && <RefusalAlert title="Not revoked" error={ending.error} />}
      {reading.data?.data.length === 0 ? (
        <Text>No sessions. The app must ask for access again.</Text>
      ) : (
        <DataTable
          label="Sessions"
          rows={reading.data?.data}
          rowKey={({ id }) => id}
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
        />
      )}
      <Pager label="Pages of sessions" {...turns(reading.data?.links)} />
    </Section>
  )
}

function End({ app }: { app: OwnApp }) {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call('deleteSelfApp', { params: { app_id: app.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['own-apps'] })
      void queries.removeQueries({ queryKey: ['own-app', app.id] })
      navigate(paths.ownApps, { replace: true })
    },
    onError: close,
  })
  return (
    <Section title="End">
      <Group justify="space-between" gap="sm">
        <span>All its sessions are revoked, in every place.</span>
        <Button color="red" variant="outline" onClick={open}>
          Revoke all access
        </Button>
      </Group>
      {ending.error && <RefusalAlert title="Not revoked" error={ending.error} />}
      <ConfirmDialog
        title={`Revoke access of ${app.attributes.name}?`}
        verb="Revoke access"
        isOpen={isOpen}
        isBusy={ending.isPending || ending.isSuccess}
        onConfirm={() => ending.mutate()}
        onClose={close}
      >
        The app loses access at once, everywhere. To authorize it again, start in the app.
      </ConfirmDialog>
    </Section>
  )
}
