;;; Drives Emacs' eglot through one session: a finding, a hover, inlay hints where it has them, a fix.  -*- lexical-binding: t -*-
;;; It makes no claim about what the finding says; the server's own tests do.

;; `-Q' leaves out the packages of Debian, which hold eglot for an Emacs older than 29.
(let ((packages "/usr/share/emacs/site-lisp/elpa"))
  (when (and (< emacs-major-version 29) (file-directory-p packages))
    (dolist (package (directory-files packages t "^[a-z]"))
      (when (file-directory-p package) (add-to-list 'load-path package)))))
(require 'json)
(require 'flymake)
(require 'eglot)

(defun say (&rest pairs) (princ (concat (json-encode pairs) "\n")))
(defun wait-for (what condition)
  (let ((end (+ (float-time) 30)))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "timeout: %s" what))
      (accept-process-output nil 0.05))))

(setq eglot-sync-connect 30 eglot-connect-timeout 30 eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil eglot-confirm-server-edits nil
      eglot-send-changes-idle-time 0.05 flymake-no-changes-timeout 0.1
      make-backup-files nil create-lockfiles nil)

(defun hover-here ()
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (wait-for "hover" (lambda () shown))
    (substring-no-properties (format "%s" shown))))

(defun inlay-hints-here ()
  (eglot-inlay-hints-mode 1)
  (set-window-buffer (selected-window) (current-buffer))
  (eglot--update-hints-1 (point-min) (point-max))
  (let ((hints (lambda () (seq-filter (lambda (overlay) (overlay-get overlay 'eglot--inlay-hint))
                                      (overlays-in (point-min) (point-max))))))
    (wait-for "inlay hints" hints)
    (length (funcall hints))))

(let* ((arguments (json-parse-string (getenv "GRAPHWRIGHT_TEST") :array-type 'list :object-type 'plist))
       (before (with-temp-buffer (insert-file-contents (plist-get arguments :file)) (buffer-string))))
  (setq eglot-server-programs `((python-mode . ,(plist-get arguments :command))))
  (condition-case failure
      (progn
        (find-file (plist-get arguments :file))
        (python-mode)
        (apply #'eglot (eglot--guess-contact))
        (wait-for "hello" #'eglot-managed-p)
        (flymake-start)
        (wait-for "diagnostic" (lambda () (= 1 (length (flymake-diagnostics)))))
        (let ((found (car (flymake-diagnostics))))
          (say :diagnostic (flymake-diagnostic-text found)
               :line (1- (line-number-at-pos (flymake-diagnostic-beg found))))
          (goto-char (point-min))
          (forward-line (plist-get (plist-get arguments :hover) :line))
          (forward-char (plist-get (plist-get arguments :hover) :column))
          (say :hover (hover-here))
          (when (fboundp 'eglot-inlay-hints-mode) (say :hints (inlay-hints-here)))
          (goto-char (flymake-diagnostic-beg found)))
        (let ((actions (eglot-code-actions (point) (point) "quickfix")))
          (say :actions (length actions))
          (if (fboundp 'eglot-execute)
              (eglot-execute (eglot-current-server) (elt actions 0))
            (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit))))
        (wait-for "edit" (lambda () (not (equal before (buffer-string)))))
        (eglot--signal-textDocument/didChange)
        (wait-for "clean" (lambda () (flymake-start) (accept-process-output nil 0.1) (null (flymake-diagnostics))))
        (say :text (buffer-string))
        (set-buffer-modified-p nil)
        (eglot-shutdown (eglot-current-server) nil 10))
    (error (say :failure (format "%S" failure)) (kill-emacs 1))))
