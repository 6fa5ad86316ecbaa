import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { readProject } from '../../../api/projects.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import type { OfProject } from './of-project.ts'

const AGAIN_MS = 2_000
/** Time after which the page stops waiting for the test. */
const GIVE_UP_MS = 5 * 60_000

type Phase = 'idle' | 'waiting' | 'done' | 'late'

const words: Readonly<Record<Phase, string>> = {
  idle: '',
  waiting: 'Waiting for the test…',
  done: 'Tested again.',
  late: 'The test has not finished yet. Load the page again later.',
}

/** Requests a test, or finds one that is due, and polls the project until it has a new result. */
export function TestNow({ orgId, project }: OfProject) {
  const { id, attributes } = project
  const queries = useQueryClient()
  const next = attributes.next_test_at
  const [phase, setPhase] = useState<Phase>(next !== null && Date.parse(next) <= Date.now() ? 'waiting' : 'idle')
  const result = `${attributes.last_tested_at} ${attributes.failure}`
  const [before, setBefore] = useState(result)
  useQuery({
    queryKey: ['project', orgId, id],
    queryFn: () => readProject(orgId, id),
    enabled: phase === 'waiting',
    refetchInterval: AGAIN_MS,
  })
  const request = useMutation({
    mutationFn: () => call('testOrgProject', { params: { org_id: orgId, project_id: id } }),
    onMutate: () => setBefore(result),
    onSuccess: () => setPhase('waiting'),
  })

  useEffect(() => {
    if (phase !== 'waiting') return undefined
    if (result !== before) {
      setPhase('done')
      // Any list may contain the project.
      void queries.invalidateQueries()
      return undefined
    }
    const timer = setTimeout(() => setPhase('late'), GIVE_UP_MS)
    return () => clearTimeout(timer)
  }, [phase, result, before, queries])

  return (
    <Stack gap="xs">
      {/* On phones the words are below the button, which stays where it is. */}
      <Group gap="sm" style={{ flexDirection: 'row-reverse' }}>
        <Button
          loading={request.isPending || phase === 'waiting'}
          disabled={attributes.status === 'inactive'}
          title={attributes.status === 'inactive' ? 'Activate the project to test it again.' : undefined}
          onClick={() => request.mutate()}
          aria-keyshortcuts="t"
        >
          Test now
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {phase === 'idle' && next !== null ? (
            <>
              Next test <Age time={next} />
            </>
          ) : (
            words[phase]
          )}
        </Text>
      </Group>
      {request.isError && <RefusalAlert title="Could not request the test" error={request.error} />}
    </Stack>
  )
}
