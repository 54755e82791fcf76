// Follows one place in the user's code and keeps the graph code of the function around it.
// Where that is shown, and how, isn't decided here.
import type { LogOutputChannel, Position, TextDocument, TextDocumentContentChangeEvent } from 'vscode';
import { CancellationTokenSource, EventEmitter } from 'vscode';
import type { Supervisor } from '../supervisor';
import type { Answer, Content, Place, Style } from './content';
import { code, NO_FUNCTION, NOT_RUNNING, refusal } from './content';
import { isInside, moved } from './places';

const PAUSE_MILLISECONDS = 80;

export class Follower {
  /** The place that is followed, and the function there as the server last saw it whole. */
  private document: TextDocument | undefined;
  private place: Place = { line: 0, character: 0 };
  private answer: Answer | undefined;
  private good: Answer | undefined;
  private shown: Content = NO_FUNCTION;
  private running: CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly changed = new EventEmitter<void>();
  /** Fires when there is something else to show. */
  readonly onDidChange = this.changed.event;
  isLocked = false;

  constructor(
    private readonly server: Supervisor,
    private readonly output: LogOutputChannel,
    private currentStyle: Style,
  ) {}

  get content(): Content {
    return this.shown;
  }

  get source(): TextDocument | undefined {
    return this.document;
  }

  /** The last answer about the function that is followed, with code in it. */
  get code(): Answer | undefined {
    return this.good;
  }

  get style(): Style {
    return this.currentStyle;
  }

  set style(style: Style) {
    if (style !== this.currentStyle) {
      this.currentStyle = style;
      this.ask(0);
    }
  }

  /** Follows another place, unless it is locked to the one that it has. */
  moveTo(document: TextDocument, position: Position, always = false): void {
    if (this.isLocked && !always) {
      return;
    }
    const isElsewhere = document !== this.document || !this.answer || !isInside(this.answer, position);
    this.document = document;
    this.place = { line: position.line, character: position.character };
    if (isElsewhere || always) {
      this.ask(always ? 0 : PAUSE_MILLISECONDS);
    }
  }

  /** The followed document was edited: the place moves along. */
  edited(changes: readonly TextDocumentContentChangeEvent[]): void {
    this.place = moved(this.place, changes);
    this.ask(PAUSE_MILLISECONDS);
  }

  /** The followed document was closed: there is none any more. */
  closed(): void {
    this.document = undefined;
    this.answer = this.good = undefined;
    this.show(NO_FUNCTION);
  }

  /** Asks anew, once nothing happened for so long. */
  ask(pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.request(), pause);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    this.changed.dispose();
  }

  private async request(): Promise<void> {
    this.running?.cancel();
    const document = this.document;
    if (document === undefined) {
      this.show(NO_FUNCTION);
      return;
    }
    const token = new CancellationTokenSource();
    this.running = token;
    const version = document.version;
    const parameters = {
      textDocument: { uri: document.uri.toString() },
      position: this.place,
      style: this.currentStyle,
    };
    try {
      const answer = await this.server.request<Answer | null>('graphwright/preview', parameters, token.token);
      if (!token.token.isCancellationRequested && document.version === version) {
        this.receive(answer);
      }
    } catch (error) {
      if (!token.token.isCancellationRequested) {
        this.output.warn(`The preview failed: ${String(error)}`);
      }
    }
  }

  private receive(answer: Answer | null | undefined): void {
    if (answer === undefined) {
      this.show(this.good === undefined ? NOT_RUNNING : code(this.good, "Graphwright's server isn't running"));
      return;
    }
    if (answer === null) {
      // Between two functions the one before stays in sight.
      if (this.answer === undefined) {
        this.show(NO_FUNCTION);
      }
      this.answer = undefined;
      return;
    }
    const before = this.good;
    this.answer = answer;
    if (answer.refused === null) {
      this.good = answer;
      this.show(code(answer));
    } else if (answer.refused.halfTyped && before?.function === answer.function && before.style === answer.style) {
      this.show(code(before, `line ${answer.refused.line + 1} can't be parsed yet`));
    } else {
      this.good = undefined;
      this.show(refusal(answer));
    }
  }

  private show(content: Content): void {
    this.shown = content;
    this.changed.fire();
  }
}
