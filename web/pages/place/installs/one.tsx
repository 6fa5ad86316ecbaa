import { Button, Code, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import { nounOf, paramsOf } from '../../../api/place-params.ts'
import type { Install } from '../../../api/resources.ts'
import { secretsOfInstall } from '../../../api/secrets.ts'
import { ReadingAlert, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { type Place, paths } from '../../../navigation/paths.ts'
import { useNavigate, useParams } from '../../../router/react.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
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
    queryFn: () => callData(`get${nounOf(place)}AppInstall`, { params: { ...paramsOf(place), install_id: installId } }),
  })
  if (reading.isError) {
    return (
      <Page title="Install">
        <ReadingAlert title="The install cannot be read" reading={reading} />
      </Page>
    )
  }
  const install = reading.data
  if (!install) {
    return (
      <Page title="Install">
        <Skeleton height={180} />
      </Page>
    )
  }
  return (
    <Page title={nameOf(install)}>
      <About install={install} />
      {install.attributes.client_id !== undefined && <ClientSecrets owner={secretsOfInstall(place, install.id)} />}
      <Revocation place={place} install={install} />
    </Page>
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

function Revocation({ place, install }: { place: Place; install: Install }) {
  const [isOpen, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const revoking = useMutation({
    mutationFn: () =>
      call(`delete${nounOf(place)}AppInstall`, { params: { ...paramsOf(place), install_id: install.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['installs', place.kind, place.id] })
      navigate(paths.installs(place), { replace: true })
    },
    onError: close,
  })
  return (
    <Section title="Revoke">
      <Group justify="space-between" gap="sm">
        <span>The app loses access here at once.</span>
        <Button color="red" variant="outline" onClick={open}>
          Revoke install
        </Button>
      </Group>
      {revoking.error && <RefusalAlert title="Not revoked" error={revoking.error} />}
      <ConfirmDialog
        title={`Revoke ${nameOf(install)}?`}
        verb="Revoke"
        isOpen={isOpen}
        isBusy={revoking.isPending || revoking.isSuccess}
        onConfirm={() => revoking.mutate()}
        onClose={close}
      >
        Its secrets and tokens for this place are revoked at once.
      </ConfirmDialog>
    </Section>
  )
}
