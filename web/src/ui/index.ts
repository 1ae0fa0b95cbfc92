/** The parts of which every page is made. */
import "./theme.css";
import "./base.css";

export { Announcements, announce, toast } from "./announce";
export { Button, type ButtonProps } from "./button";
export { Card, type CardProps } from "./card";
export { Check, type CheckProps } from "./check";
export { Choice, type ChoiceOption, type ChoiceProps } from "./choice";
export { Dialog, type DialogProps } from "./dialog";
export { Field, type FieldProps } from "./field";
export { formatClock, formatCount, formatList, formatMoment, formatRelative } from "./format";
export { Icon, type IconName } from "./icon";
export { Loading } from "./loading";
export { Notice, type NoticeKind, type NoticeProps } from "./notice";
export { Page, type PageProps } from "./page";
export { ReportButton, type ReportSubject } from "./report-button";
