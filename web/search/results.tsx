import { Group, Highlight, Text } from '@mantine/core'
import { type MouseEvent, useEffect, useId } from 'react'
import { Link } from '../router/react.tsx'
import { type Choice, type ChoiceGroup, optionId } from './choices.tsx'
import styles from './search.module.css'

interface Props {
  readonly groups: readonly ChoiceGroup[]
  readonly active: Choice | undefined
  readonly query: string
  /** True while a response is pending or failed, so that missing results mean nothing. */
  readonly isWaiting: boolean
  readonly onOpen: (choice: Choice) => void
  readonly onPoint: (choice: Choice) => void
}

export function Results({ groups, active, query, isWaiting, onOpen, onPoint }: Props) {
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    <>
      {/* A list of options may not hold anything else, so the words for none stand beside it. */}
      <div className={styles['results']} id="search-results" role="listbox" aria-label="Results" tabIndex={-1}>
        {groups.map((group) => (
          <Options key={group.heading} group={group} {...{ active, query, onOpen, onPoint }} />
        ))}
      </div>
      {groups.length === 0 && !isWaiting && (
        <Text c="dimmed" size="sm" px="md" pb="md">
          Nothing found for “{query}”. Search covers CVE and GHSA ids, packages, projects, apps, service accounts,
          members, pages and guides.
        </Text>
      )}
    </>
  )
}

type OptionsProps = Omit<Props, 'groups' | 'isWaiting'> & { readonly group: ChoiceGroup }

function Options({ group: { heading, choices }, active, query, onOpen, onPoint }: OptionsProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set cannot be in a list of options
    <div role="group" aria-labelledby={id}>
      <div className={styles['heading']} id={id}>
        {heading}
      </div>
      {choices.map((choice) => (
        <Option key={choice.id} choice={choice} {...{ active, query, onOpen, onPoint }} />
      ))}
    </div>
  )
}

type OptionProps = Omit<OptionsProps, 'group'> & { readonly choice: Choice }

function Option({ choice, active, query, onOpen, onPoint }: OptionProps) {
  const link = {
    id: optionId(choice),
    role: 'option',
    tabIndex: -1,
    'aria-selected': choice === active,
    className: styles['hit'],
    onMouseMove: () => onPoint(choice),
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      onOpen(choice)
    },
  }
  const content = (
    <>
      {choice.icon}
      <span className={styles['text']}>
        <Highlight component="span" size="sm" className={styles['name'] ?? ''} highlight={query.split(/\s+/)}>
          {choice.name}
        </Highlight>
        {choice.context && <span className={styles['context']}>{choice.context}</span>}
      </span>
      {choice.badge && (
        <Group gap={4} wrap="nowrap">
          {choice.badge}
        </Group>
      )}
    </>
  )
  if (!choice.isDocumentation) {
    return (
      <Link {...link} to={choice.to}>
        {content}
      </Link>
    )
  }
  return (
    <a {...link} href={choice.to} target="_blank" rel="noopener">
      {content}
    </a>
  )
}
