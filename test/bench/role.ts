import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Another process of the benchmark, which answers one question after another. */
export interface Role<Question, Answer> {
  ask(question: Question): Promise<Answer>
  /** Ends it at once: what its subscribers do is not waited for. */
  end(): Promise<void>
}

/** Starts `<name>.js` beside this file as a process of its own. */
export function begin<Question, Answer>(name: string, args: string[]): Role<Question, Answer> {
  const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return {
    ask: question =>
      new Promise((resolve, reject) => {
        const exit = (code: number | null) => reject(new Error(`${name} ended with ${code}.`))
        child.once('exit', exit)
        child.once('message', answer => {
          child.off('exit', exit)
          resolve(answer as Answer)
        })
        child.send(question as object)
      }),
    async end() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The other side: answers every question of the process that began this one, and ends with it. */
export function play<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', question => {
    answer(question as Question).then(
      reply => process.send?.(reply as object),
      error => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => process.exit(0))
}
