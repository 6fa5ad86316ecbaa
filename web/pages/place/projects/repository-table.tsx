import { ActionIcon, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { createContext, Fragment, type ReactNode, use, useId } from 'react'
import type { Counts } from '../../../api/overview.ts'
import { listProjects } from '../../../api/projects.ts'
import type { ListedRepository, Project } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useSparklines } from '../../../hooks/sparklines.ts'
import { paths } from '../../../navigation/paths.ts'
import { hasSparklines, SparklineCell } from '../../../ui/charts/sparkline-cell.tsx'
import { CoverageState } from '../../../ui/coverage-state.tsx'
import { ChevronIcon } from '../../../ui/icons.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { PathText } from '../../../ui/path-text.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { SeverityWord, severities } from '../../../ui/severity.tsx'
import { Table, WaitingRows } from '../../../ui/table.tsx'
import { countOf } from '../../../ui/words.ts'
import styles from './repositories.module.css'

interface Props {
  readonly orgId: string
  /** Undefined while loading. */
  readonly repositories: readonly ListedRepository[] | undefined
  readonly expanded: string | undefined
  readonly onExpand: (id: string | undefined) => void
}

const COLUMNS = 10

/** The reason for counts that are minimums. */
const UNSURE = 'At least: some dependencies could not be tested'

/** Maximum number of manifests in an expanded repository; its own page lists all. */
const SHOWN = 20

/** Repositories with sums over their projects, to which each row expands. */
export function RepositoryTable({ repositories, ...props }: Props) {
  const columns = useColumns()
  const ids = repositories?.map(({ id }) => id)
  const lines = useSparklines(props.orgId, 'repository', columns.isWide ? ids : undefined)
  const hasLines = columns.isWide && hasSparklines(lines)
  return (
    <HasLinesContext value={hasLines}>
      <div className={styles['frame']} aria-busy={repositories === undefined}>
        <Table className={styles['table'] ?? ''} aria-label="Projects by repository">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={48}>
                <VisuallyHidden>Manifests</VisuallyHidden>
              </Table.Th>
              <Table.Th>Repository and manifest</Table.Th>
              {columns.hasType && <Table.Th w={112}>Type</Table.Th>}
              {columns.severities.map((severity) => (
                <Table.Th key={severity} w={columns.isNarrow ? 92 : 88} ta="end">
                  <SeverityWord severity={severity} />
                </Table.Th>
              ))}
              {hasLines && <Table.Th w={128}>90 days</Table.Th>}
              {!columns.isNarrow && <Table.Th w={160}>Coverage</Table.Th>}
              {columns.isWide && <Table.Th w={132}>Tested</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {repositories === undefined ? (
              <WaitingRows columns={COLUMNS} />
            ) : (
              repositories.map((repository) => (
                <RepositoryRows
                  key={repository.id}
                  {...props}
                  repository={repository}
                  levels={lines?.[repository.id]}
                />
              ))
            )}
          </Table.Tbody>
        </Table>
      </div>
    </HasLinesContext>
  )
}

/** True if the table has a column of sparklines. */
const HasLinesContext = createContext(true)

/**
 * Returns the columns. Phones and tablets keep the name with the state below it, and the worst counts. The type is
 * shown only where enough space remains for paths.
 */
function useColumns() {
  const isNarrow = useMediaQuery('(max-width: 63.99em)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false })
  const hasType = useMediaQuery('(min-width: 100em)', true, { getInitialValueInEffect: false })
  return { isNarrow, isWide, hasType, severities: isNarrow ? severities.slice(0, 1) : severities }
}

function RepositoryRows({ orgId, repository, levels, expanded, onExpand }: Omit<Props, 'repositories'> & Of & Levels) {
  const { id, name, projects, types, incomplete, untested, is_clean, open, tested_at } = repository
  const isOpen = expanded === id
  const detailsId = useId()
  const isUnsure = incomplete + untested > 0
  const [first, ...more] = types
  return (
    <Fragment>
      <Cells
        control={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Manifests of ${name}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => onExpand(isOpen ? undefined : id)}
          >
            <span style={{ display: 'flex', rotate: isOpen ? '90deg' : undefined }}>
              <ChevronIcon size={16} />
            </span>
          </ActionIcon>
        }
        name={
          <span className={styles['name']}>
            <PageLink to={`${paths.projects(orgId)}?target_id=${id}`} aria-label={name} fw={600} size="sm">
              <PathText text={name} />
            </PageLink>
            <Text span size="xs" c="dimmed" title={countOf(projects, 'project')}>
              {projects.toLocaleString()}
            </Text>
          </span>
        }
        type={more.length === 0 ? first : `${first} +${more.length}`}
        counts={untested === projects ? undefined : open}
        isUnsure={isUnsure}
        isStrong
        levels={levels}
        state={<CoverageState {...{ incomplete, untested }} isClean={is_clean} />}
        testedAt={tested_at}
      />
      {isOpen && <Manifests orgId={orgId} repository={repository} id={detailsId} />}
    </Fragment>
  )
}

interface Levels {
  /** Open issues of the last 90 days; undefined while loading. */
  readonly levels: readonly number[] | undefined
}

interface Of {
  readonly repository: ListedRepository
}

function Manifests({ orgId, repository, id }: Of & { readonly orgId: string; readonly id: string }) {
  const reading = useQuery({
    queryKey: ['projects', orgId, 'of repository', repository.id],
    queryFn: () => listProjects(orgId, { target_id: [repository.id], sort: 'name', limit: SHOWN }),
  })
  const { data } = reading.data ?? {}
  const hasLines = use(HasLinesContext)
  const lines = useSparklines(orgId, 'project', hasLines ? data?.map((project) => project.id) : undefined)
  if (reading.isError) {
    return (
      <Table.Tr id={id}>
        <Table.Td colSpan={COLUMNS}>
          <RefusalAlert title="Could not load the manifests" error={reading.error} />
        </Table.Td>
      </Table.Tr>
    )
  }
  const rest = repository.projects - SHOWN
  return (
    <>
      {data === undefined && <WaitingRows columns={COLUMNS} />}
      {data?.map((project, at) => (
        <ManifestRow
          key={project.id}
          orgId={orgId}
          project={project}
          files={data.map(fileOf)}
          levels={lines?.[project.id]}
          {...(at === 0 && { id })}
        />
      ))}
      {rest > 0 && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={COLUMNS - 1}>
            <PageLink to={`${paths.projects(orgId)}?target_id=${repository.id}`} size="sm">
              Show {rest.toLocaleString()} more projects
            </PageLink>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** Returns the manifest's path, or the project's name. */
function fileOf({ attributes: { name, target_file } }: Project): string {
  return target_file || /:([^:]*)$/.exec(name)?.[1] || name
}

interface ManifestProps extends Levels {
  readonly orgId: string
  readonly project: Project
  /** The manifests of the repository. */
  readonly files: readonly string[]
  readonly id?: string
}

function ManifestRow({ orgId, project, files, levels, id }: ManifestProps) {
  const { attributes, meta } = project
  const { name, type, status, failure, stale_source, last_tested_at, is_complete } = attributes
  const counts = meta.latest_issue_counts
  return (
    <Cells
      {...(id !== undefined && { id })}
      control={null}
      name={
        <PageLink to={paths.project(orgId, project.id)} aria-label={name} size="sm" c="inherit">
          <PathText text={fileOf(project)} others={files} />
        </PageLink>
      }
      type={type}
      counts={last_tested_at === null ? undefined : counts}
      isUnsure={!is_complete}
      levels={levels}
      state={
        status === 'inactive'
          ? 'Not watched'
          : failure !== null
            ? 'Last test failed'
            : stale_source !== null
              ? 'Files are out of date'
              : last_tested_at === null
                ? 'Not tested'
                : is_complete
                  ? undefined
                  : 'Incomplete'
      }
      testedAt={last_tested_at}
    />
  )
}

interface CellsProps extends Levels {
  readonly id?: string
  readonly control: ReactNode
  readonly name: ReactNode
  readonly type: string | undefined
  /** Undefined before the first test. */
  readonly counts: Counts | undefined
  /** True if there may be further issues. */
  readonly isUnsure: boolean
  readonly isStrong?: boolean
  readonly state: ReactNode
  readonly testedAt: string | null
}

function Cells({ id, control, name, type, counts, isUnsure, isStrong, levels, state, testedAt }: CellsProps) {
  const columns = useColumns()
  const hasLines = use(HasLinesContext)
  return (
    <Table.Tr id={id} className={isStrong ? '' : (styles['manifest'] ?? '')}>
      <Table.Td>{control}</Table.Td>
      <Table.Td>
        {name}
        {columns.isNarrow && (
          <Text component="div" size="xs">
            {state}
          </Text>
        )}
      </Table.Td>
      {columns.hasType && <Table.Td>{type}</Table.Td>}
      {columns.severities.map((severity) => (
        <Table.Td key={severity} ta="end" {...(isStrong && { fw: 600 })} title={isUnsure ? UNSURE : undefined}>
          {counts ? `${isUnsure ? '≥ ' : ''}${counts[severity].toLocaleString()}` : '–'}
        </Table.Td>
      ))}
      {hasLines && (
        <Table.Td>
          <SparklineCell levels={counts && levels} />
        </Table.Td>
      )}
      {!columns.isNarrow && <Table.Td>{state}</Table.Td>}
      {columns.isWide && <Table.Td>{testedAt === null ? 'never' : <Age time={testedAt} />}</Table.Td>}
    </Table.Tr>
  )
}
