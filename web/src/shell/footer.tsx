/** The foot of pages that are read, not played. */
import { t } from "../texts";
import { ReportButton } from "../ui";
import "./footer.css";

export function Footer() {
  return (
    <footer class="footer">
      <p>{t("shell.footer")}</p>
      <ReportButton place="page" />
    </footer>
  );
}
