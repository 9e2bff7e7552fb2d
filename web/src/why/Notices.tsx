/** What one should know, and what stopped nothing. */
export const Notices = ({ notices }: { notices: readonly string[] }) =>
  notices.map((notice, index) => (
    <p key={index} className="notice" dir="auto">
      {notice}
    </p>
  ));
