import { type ComponentProps, type ReactNode, useId } from 'react'
import { Link } from '../router/react.tsx'
import styles from './navigation-link.module.css'

interface Words {
  readonly icon: ReactNode
  readonly label: string
  /** A second line. */
  readonly description?: string | undefined
}

interface LinkProps extends Words {
  readonly to: string
  readonly isHere: boolean
  /** A number beside the name. */
  readonly count?: string | undefined
  readonly isWarning?: boolean
  readonly onClick: () => void
}

export function NavigationLink({ to, isHere, count, isWarning = false, onClick, ...words }: LinkProps) {
  const id = useId()
  return (
    <Link
      to={to}
      className={styles['link']}
      aria-current={isHere ? 'page' : undefined}
      aria-describedby={count === undefined ? undefined : id}
      onClick={onClick}
    >
      <Contents {...words} />
      {count !== undefined && (
        // Describes the link, without being part of its name.
        <span id={id} className={styles['count']} data-warning={isWarning || undefined} aria-hidden>
          {count}
        </span>
      )}
    </Link>
  )
}

export function NavigationButton({ onClick, ...words }: Words & Pick<ComponentProps<'button'>, 'onClick'>) {
  return (
    <button type="button" className={styles['link']} onClick={onClick}>
      <Contents {...words} />
    </button>
  )
}

function Contents({ icon, label, description }: Words) {
  return (
    <>
      {icon}
      <span className={styles['words']}>
        {label}
        {description !== undefined && <span className={styles['description']}> {description}</span>}
      </span>
    </>
  )
}
