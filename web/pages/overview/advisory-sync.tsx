import { Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import type { AdvisorySync as Sync } from '../../api/resources.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePlaces } from '../../hooks/place.ts'
import { CopyableCode } from '../../ui/copyable-code.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Age } from '../../ui/relative-time.tsx'

const POLL_MS = 1000

/** Starts a sync of the server's advisories and follows it. Users who may not start one see the command. */
export function AdvisorySync({ orgId }: { orgId: string }) {
  const groupId = usePlaces().data?.orgs.find(({ id }) => id === orgId)?.attributes.group_id
  const { reading, starting, isRunning } = useSync(groupId)
  const sync = reading.data
  if (reading.isError) {
    return (
      <CopyableCode label="To load all advisories, run on the server, once or as a daily job">
        gatehouse advisories sync
      </CopyableCode>
    )
  }
  if (sync === undefined) return <Skeleton height={36} role="status" aria-label="Loading" />
  return (
    <Stack gap="sm">
      {starting.error && <RefusalAlert title="Sync not started" error={starting.error} />}
      {sync.state === 'failed' && <ProblemAlert title="The last sync failed" details={[sync.failure ?? '']} />}
      {isRunning && <Running sync={sync} />}
      <Group gap="sm">
        <Button variant="default" loading={starting.isPending} disabled={isRunning} onClick={() => starting.mutate()}>
          Sync advisories
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {isRunning && describe(sync)}
          {sync.state === 'done' && sync.updated_at !== null && (
            <>
              Synced <Age time={sync.updated_at} />
            </>
          )}
        </Text>
      </Group>
    </Stack>
  )
}

function useSync(groupId: string | undefined) {
  const queries = useQueryClient()
  const queryKey = ['advisory-sync', groupId]
  const params = { group_id: groupId ?? '' }
  const reading = useQuery({
    queryKey,
    queryFn: () => call('getAdvisorySync', { params }),
    enabled: groupId !== undefined,
    refetchInterval: ({ state: { data } }) => isActive(data) && POLL_MS,
  })
  const starting = useMutation({
    mutationFn: () => call('startAdvisorySync', { params }),
    onSuccess: (sync) => queries.setQueryData(queryKey, sync),
  })
  const isRunning = isActive(reading.data)
  const wasRunning = useRef(false)
  useEffect(() => {
    // New advisories change issues and all counts.
    if (wasRunning.current && !isRunning) void queries.invalidateQueries()
    wasRunning.current = isRunning
  }, [isRunning, queries])
  return { reading, starting, isRunning }
}

function isActive(sync: Sync | undefined): boolean {
  return sync?.state === 'waiting' || sync?.state === 'running'
}

function Running({ sync: { done, total } }: { sync: Sync }) {
  const percent = done !== null && total !== null && total > 0 ? (done / total) * 100 : undefined
  return (
    <Progress
      aria-label="Progress of the sync"
      value={percent ?? 100}
      color="pine.7"
      size="lg"
      striped={percent === undefined}
      animated={percent === undefined}
    />
  )
}

const phases: Readonly<Record<string, string>> = {
  exploits: 'Reading data about exploits',
  listing: 'Listing advisories',
  fetching: 'Fetching advisories',
  reading: 'Reading advisories',
  carrying: 'Reading the previous advisories',
  compiling: 'Compiling',
  storing: 'Storing',
}

function describe({ state, phase, registry }: Sync): string {
  if (state === 'waiting' || phase === null) return 'Waiting for a worker…'
  const words = phases[phase] ?? phase
  return registry === null ? `${words}…` : `${words}: ${registry}…`
}
