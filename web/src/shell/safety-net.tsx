/** When a page breaks: the person is told, can report it, and goes on by reloading; other pages stay usable. */
import { Component, type ComponentChildren } from "preact";
import { t } from "../texts";
import { Button, Page, ReportButton } from "../ui";

interface SafetyNetProps {
  /** Another address is another try. */
  url: string;
  children: ComponentChildren;
}

export class SafetyNet extends Component<SafetyNetProps, { brokenAt: string | null }> {
  override state: { brokenAt: string | null } = { brokenAt: null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ brokenAt: this.props.url });
  }

  override render() {
    return this.state.brokenAt === this.props.url ? <Broken /> : this.props.children;
  }
}

function Broken() {
  return (
    <Page title={t("shell.broken-title")} lead={t("shell.broken")} width="narrow">
      <div class="dialog__actions">
        <ReportButton place="page" />
        <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
          {t("shell.reload")}
        </Button>
      </div>
    </Page>
  );
}
