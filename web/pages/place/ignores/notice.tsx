import { Button, Progress } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deletePolicy, getPolicy } from '../../../api/policies.ts'
import type { Policy } from '../../../api/resources.ts'
import styles from '../../../components/bar.module.css'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { countOf } from '../../../ui/words.ts'
import { keysOfRules } from './read-again.ts'

const POLL_MS = 1_000

interface Props {
  readonly place: ConsoleScope
  readonly policy: Policy
  /** The ignored vulnerabilities in words: `312 vulnerabilities`. */
  readonly what: string
}

/** Follows the evaluation of a new rule, which continues on the server when the page is left, and undoes it. */
export function RuleNotice({ place, policy: created, what }: Props) {
  const queries = useQueryClient()
  const { data: policy } = useQuery({
    queryKey: ['policy', place, created.id],
    queryFn: () => getPolicy(place, created.id),
    initialData: created,
    refetchInterval: ({ state: { data } }) => data?.attributes.evaluation.state === 'running' && POLL_MS,
  })
  const readAgain = () => {
    for (const queryKey of keysOfRules(place)) void queries.invalidateQueries({ queryKey })
  }
  const undoing = useMutation({ mutationFn: () => deletePolicy(place, created.id), onSuccess: readAgain })
  const { state, done, total } = policy.attributes.evaluation
  const ofTotal = total > 0 ? `: ${done.toLocaleString()} of ${countOf(total, 'project')}` : '…'
  const isRunning = state === 'running'
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the lists again when the evaluation ends
  useEffect(readAgain, [isRunning])
  if (undoing.isSuccess) {
    return (
      <div className={styles['bar']} role="status">
        Undone. What the rule ignored counts again.
      </div>
    )
  }
  return (
    <div className={styles['bar']}>
      <span role="status">{isRunning ? `Ignoring ${what}${ofTotal}` : `Ignored ${what}.`}</span>
      {isRunning && <Progress w={120} value={(100 * done) / Math.max(1, total)} aria-label="Evaluated projects" />}
      <Button size="xs" variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
        Undo
      </Button>
      <ButtonLink size="xs" variant="default" to={paths.rule(place, created.id)}>
        Show rule
      </ButtonLink>
      {undoing.error && <RefusalAlert title="Not undone" error={undoing.error} />}
    </div>
  )
}
